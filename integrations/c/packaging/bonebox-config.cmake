# find_package(bonebox) gives bonebox::bonebox (the shared library) and bonebox::bonebox_static.
get_filename_component(_bonebox_root "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

if(NOT TARGET bonebox::bonebox)
  add_library(bonebox::bonebox SHARED IMPORTED)
  set_target_properties(bonebox::bonebox PROPERTIES
    IMPORTED_LOCATION "${_bonebox_root}/lib/libbonebox_c.so"
    IMPORTED_NO_SONAME ON
    INTERFACE_INCLUDE_DIRECTORIES "${_bonebox_root}/include")

  find_package(Threads REQUIRED)
  add_library(bonebox::bonebox_static STATIC IMPORTED)
  set_target_properties(bonebox::bonebox_static PROPERTIES
    IMPORTED_LOCATION "${_bonebox_root}/lib/libbonebox_c.a"
    INTERFACE_INCLUDE_DIRECTORIES "${_bonebox_root}/include"
    INTERFACE_LINK_LIBRARIES "Threads::Threads;dl;m")
endif()
