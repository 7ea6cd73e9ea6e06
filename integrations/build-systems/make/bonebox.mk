# Rules that bake every .glb of a folder with GNU Make. Set these variables before `include bonebox.mk`:
#
#   BONEBOX          the program
#   BONEBOX_ASSETS   the folder with the characters
#   BONEBOX_OUT      the folder for the outputs, with the subfolders of BONEBOX_ASSETS
#   BONEBOX_OPTIONS  more arguments of `bonebox bake`
#
# BONEBOX_OUTPUTS has the outputs, for prerequisites of other rules.

BONEBOX ?= bonebox
BONEBOX_ASSETS ?= assets
BONEBOX_OUT ?= build/hitboxes

BONEBOX_OUTPUTS := $(patsubst $(BONEBOX_ASSETS)/%.glb,$(BONEBOX_OUT)/%.bonebox,$(shell find $(BONEBOX_ASSETS) -name '*.glb'))

# The program leaves an output as it is if a change does not affect it, so `touch` tells Make that it is up to date.
$(BONEBOX_OUT)/%.bonebox: $(BONEBOX_ASSETS)/%.glb
	$(BONEBOX) bake $< --out-dir $(@D) --quiet --depfile $@.d --depfile-target $@ $(BONEBOX_OPTIONS)
	@touch $@

-include $(BONEBOX_OUTPUTS:=.d)
