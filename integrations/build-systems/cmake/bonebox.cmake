# bonebox_bake(TARGET FOLDER <folder> OUT_DIR <folder> [OPTIONS <argument>...])
#
# Adds the target TARGET, which bakes every .glb, .gltf and .vrm of FOLDER and its subfolders into the same subfolders of OUT_DIR.
# The property BONEBOX_OUTPUTS of the target lists the .bonebox files. BONEBOX_PROGRAM is the program.

find_program(BONEBOX_PROGRAM bonebox REQUIRED DOC "The program bonebox")

function(bonebox_bake target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "FOLDER;OUT_DIR" "OPTIONS")
  if(NOT arg_FOLDER OR NOT arg_OUT_DIR OR arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "bonebox_bake: write bonebox_bake(TARGET FOLDER <folder> OUT_DIR <folder> [OPTIONS <argument>...])")
  endif()
  cmake_path(ABSOLUTE_PATH arg_FOLDER BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE)
  cmake_path(ABSOLUTE_PATH arg_OUT_DIR BASE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}" NORMALIZE)
  file(GLOB_RECURSE assets CONFIGURE_DEPENDS "${arg_FOLDER}/*.glb" "${arg_FOLDER}/*.gltf" "${arg_FOLDER}/*.vrm")
  set(outputs "")
  foreach(asset IN LISTS assets)
    cmake_path(RELATIVE_PATH asset BASE_DIRECTORY "${arg_FOLDER}" OUTPUT_VARIABLE below)
    cmake_path(REPLACE_EXTENSION below LAST_ONLY .bonebox)
    set(output "${arg_OUT_DIR}/${below}")
    cmake_path(GET output PARENT_PATH folder)
    # The program leaves an output as it is if a change does not affect it, so `touch` tells the generator that it is up to date.
    add_custom_command(
      OUTPUT "${output}" "${output}.json"
      COMMAND "${BONEBOX_PROGRAM}" bake "${asset}" --out-dir "${folder}" --quiet
              --depfile "${output}.d" --depfile-target "${output}" ${arg_OPTIONS}
      COMMAND "${CMAKE_COMMAND}" -E touch "${output}" "${output}.json"
      DEPENDS "${asset}" "${BONEBOX_PROGRAM}"
      DEPFILE "${output}.d"
      COMMENT "bake ${below}"
      VERBATIM)
    list(APPEND outputs "${output}")
  endforeach()
  add_custom_target(${target} ALL DEPENDS ${outputs})
  set_target_properties(${target} PROPERTIES BONEBOX_OUTPUTS "${outputs}")
endfunction()
