# How every target of ours is compiled, and one verb an intent:
# sl_add_plugin, sl_add_tool, sl_add_test.

option(SL_WERROR "Warnings are errors" OFF)
set(SL_SANITIZE "" CACHE STRING
  "Sanitizers for every target, as -fsanitize= takes them")

option(SL_FUZZ "Instrument everything for libFuzzer, and link the fuzz targets \
with it" OFF)

# sl_dev: the house's warnings. Never exported.
add_library(sl_dev INTERFACE)
target_compile_features(sl_dev INTERFACE c_std_17)
target_compile_definitions(sl_dev INTERFACE _POSIX_C_SOURCE=200809L)
target_compile_options(sl_dev INTERFACE
  $<$<COMPILE_LANGUAGE:C>:-Wall -Wextra -Wpedantic -Wshadow -Wvla
  -Wconversion -Wcast-qual -Wformat=2 -Wundef -Wwrite-strings -Wpointer-arith
  -Wstrict-prototypes -Wmissing-prototypes -Wimplicit-fallthrough
  -Wswitch-enum -fno-common
  $<$<C_COMPILER_ID:Clang>:-Wmissing-variable-declarations>>
  $<$<BOOL:${SL_WERROR}>:-Werror>
  -fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=)
if(SL_SANITIZE)
  target_compile_options(sl_dev INTERFACE
    -fsanitize=${SL_SANITIZE} -fno-sanitize-recover=all
    -fno-omit-frame-pointer)
  target_link_options(sl_dev INTERFACE -fsanitize=${SL_SANITIZE})
endif()
if(SL_FUZZ)
  target_compile_options(sl_dev INTERFACE -fsanitize=fuzzer-no-link)
endif()

# A plugin is plugins/NAME/: NAME.c, NAME.md, and what else SOURCES names.
function(sl_add_plugin name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LIBRARIES")
  add_library(plugin_${name} MODULE ${name}/${name}.c)
  foreach(source IN LISTS arg_SOURCES)
    target_sources(plugin_${name} PRIVATE ${name}/${source})
  endforeach()
  target_link_libraries(plugin_${name}
    PRIVATE sluice::core sl_dev ${arg_LIBRARIES})
  set_target_properties(plugin_${name} PROPERTIES
    PREFIX "" OUTPUT_NAME ${name} C_VISIBILITY_PRESET hidden
    LIBRARY_OUTPUT_DIRECTORY ${SL_PLUGIN_DIR}
    BUILD_RPATH_USE_ORIGIN ON INSTALL_RPATH "$ORIGIN/..")
  install(TARGETS plugin_${name}
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/sluice)
  set_property(GLOBAL APPEND PROPERTY SL_PLUGINS ${name})
endfunction()

function(sl_add_tool name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LIBRARIES")
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE sl_dev ${arg_LIBRARIES})
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin
    INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
  install(TARGETS ${name})
endfunction()

# A test program of cmocka. It sees the core's private headers and links the
# core as a static library, so that what is hidden can be tested too; PLUGIN
# tests link libsluice instead, as a plugin does.
function(sl_add_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "PLUGIN" ""
    "SOURCES;LIBRARIES;DEFINITIONS;LABELS")
  add_executable(test_${name} ${arg_SOURCES})
  if(arg_PLUGIN)
    target_link_libraries(test_${name} PRIVATE sluice::core)
  else()
    target_link_libraries(test_${name} PRIVATE sl_core_static)
  endif()
  target_include_directories(test_${name} PRIVATE
    ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(test_${name}
    PRIVATE sl_dev PkgConfig::CMOCKA ${arg_LIBRARIES})
  target_compile_definitions(test_${name} PRIVATE ${arg_DEFINITIONS})
  set_target_properties(test_${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  add_test(NAME ${name} COMMAND test_${name})
  set_tests_properties(${name} PROPERTIES TIMEOUT 300 LABELS "${arg_LABELS}")
  if("engine" IN_LIST arg_LABELS)
    set_property(GLOBAL APPEND PROPERTY SL_ENGINE_TESTS test_${name})
  endif()
endfunction()
