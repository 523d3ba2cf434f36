# Make a C array of a text file: cmake -DIN=a.sql -DOUT=a.c -DNAME=a -P this.
# An array, not a string: ISO C allows string literals of 4,095 bytes only.
file(READ "${IN}" bytes HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
string(REGEX REPLACE "(................................................................................)"
  "\\1\n" bytes "${bytes}")
file(WRITE "${OUT}" "extern const char ${NAME}[];\n"
  "const char ${NAME}[] = {\n${bytes}\n0x00 };\n")
