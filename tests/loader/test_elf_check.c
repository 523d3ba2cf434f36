/* SPDX-License-Identifier: MIT */
/* Which files are refused before they are loaded, and in what words. */
#define _XOPEN_SOURCE 700 /* S_ISVTX, mkfifo() */
#include "loader/files.h"

#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void a_good_plugin_passes(void **unused)
{
	(void)unused;
	assert_int_equal(sl_plugin_check(test_plugin("good"), NULL), SL_OK);
}

static void a_file_that_is_not_there_is_an_io_error(void **folder)
{
	assert_refused(path_in(*folder, "x.so"), SL_EIO,
		       "No such file or directory");
}

static void text_is_not_an_elf_file(void **folder)
{
	static const char text[] = "int main(void) { return 0; }\n";

	assert_refused(write_file(*folder, "x.so", text, sizeof(text) - 1),
		       SL_EPLUGIN, "not an ELF file");
}

static void an_empty_file_is_refused(void **folder)
{
	assert_refused(write_file(*folder, "x.so", "", 0), SL_EPLUGIN, "empty");
}

static void a_folder_is_no_plugin(void **folder)
{
	assert_refused(*folder, SL_EPLUGIN, "a folder, not a regular file");
}

static void a_fifo_is_refused_without_waiting_for_a_writer(void **folder)
{
	const char *path = path_in(*folder, "x.so");

	assert_int_equal(mkfifo(path, 0644), 0);
	assert_refused(path, SL_EPLUGIN, "a FIFO, not a regular file");
}

static void a_device_is_refused(void **unused)
{
	(void)unused;
	assert_refused("/dev/null", SL_EPLUGIN, "a device, not a regular file");
}

/** Where the first segment that @p size bytes do not hold ends. */
static size_t first_missing_end(const struct bytes *file, size_t size)
{
	ElfW(Ehdr) header;

	memcpy(&header, file->data, sizeof(header));
	for (size_t i = 0; i < header.e_phnum; i++) {
		ElfW(Phdr) segment;

		memcpy(&segment,
		       file->data + header.e_phoff + i * sizeof(segment),
		       sizeof(segment));
		if (segment.p_offset + segment.p_filesz > size)
			return segment.p_offset + segment.p_filesz;
	}
	return 0;
}

static void a_half_copied_plugin_is_cut_off(void **folder)
{
	struct bytes file = read_file(test_plugin("good"));
	const char *path = write_file(*folder, "x.so", file.data, 4096);
	size_t end = first_missing_end(&file, 4096);

	free(file.data);
	assert_true(end > 4096);
	assert_refused(path, SL_EPLUGIN,
		       "cut off: a segment ends at byte %zu, the file at 4096",
		       end);
}

static void a_plugin_cut_in_its_elf_header_is_cut_off(void **folder)
{
	struct bytes file = read_file(test_plugin("good"));
	const char *path = write_file(*folder, "x.so", file.data, 20);

	free(file.data);
	assert_refused(path, SL_EPLUGIN,
		       "cut off: the ELF header ends at byte %zu, the file at "
		       "20",
		       sizeof(ElfW(Ehdr)));
}

static void a_plugin_that_lacks_its_last_byte_is_cut_off(void **folder)
{
	struct bytes file = read_file(test_plugin("good"));
	const char *path =
		write_file(*folder, "x.so", file.data, file.size - 1);

	free(file.data);
	assert_refused(path, SL_EPLUGIN,
		       "cut off: the section headers end at byte %zu, the file "
		       "at %zu",
		       file.size, file.size - 1);
}

/* It is the loading that would end the process with SIGBUS. */
static void
a_plugin_cut_at_any_length_is_refused_and_kills_nobody(void **folder)
{
	struct bytes file = read_file(test_plugin("good"));
	const char *path = write_file(*folder, "x.so", file.data, file.size);

	free(file.data);
	for (size_t size = file.size; size-- > 0;) {
		struct sl_module module;
		struct sl_error error = { 0 };

		assert_int_equal(truncate(path, (off_t)size), 0);
		assert_int_equal(sl_module_load(&module, path, 0, &error),
				 SL_EPLUGIN);
		if (size > SELFMAG)
			assert_non_null(strstr(error.message, ": cut off: "));
	}
}

/** Check a copy of the good plugin with one byte of its ELF header changed. */
static const char *with_byte(const char *folder, size_t at, unsigned char value)
{
	struct bytes file = read_file(test_plugin("good"));
	const char *path;

	file.data[at] = value;
	path = write_file(folder, "x.so", file.data, file.size);
	free(file.data);
	return path;
}

static void a_plugin_of_another_class_is_refused(void **folder)
{
	unsigned char other = sizeof(void *) == 8 ? ELFCLASS32 : ELFCLASS64;

	assert_refused(with_byte(*folder, EI_CLASS, other), SL_EPLUGIN,
		       "not for programs of %zu bits", sizeof(void *) * 8);
}

static void a_plugin_of_the_other_byte_order_is_refused(void **folder)
{
	unsigned char other = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
				      ? ELFDATA2MSB
				      : ELFDATA2LSB;

	assert_refused(with_byte(*folder, EI_DATA, other), SL_EPLUGIN,
		       "made for the other byte order");
}

#ifdef __x86_64__
static void a_plugin_of_another_machine_is_refused(void **folder)
{
	assert_refused(
		with_byte(*folder, offsetof(Elf64_Ehdr, e_machine), EM_AARCH64),
		SL_EPLUGIN, "made for AArch64, this is x86-64");
}

static void a_program_and_an_object_file_are_no_shared_objects(void **folder)
{
	size_t at = offsetof(Elf64_Ehdr, e_type);

	assert_refused(with_byte(*folder, at, ET_EXEC), SL_EPLUGIN,
		       "not a shared object but a program");
	assert_refused(with_byte(*folder, at, ET_REL), SL_EPLUGIN,
		       "not a shared object but an object file, link it with "
		       "-shared");
}

static void a_plugin_without_section_headers_is_refused(void **folder)
{
	assert_refused(with_byte(*folder, offsetof(Elf64_Ehdr, e_shnum), 0),
		       SL_EPLUGIN, "no section headers; do not strip them");
}
#endif

static void a_plugin_of_another_major_abi_is_refused(void **unused)
{
	(void)unused;
	assert_refused(test_plugin("next_major"), SL_EPLUGIN,
		       "made for plugin ABI 2.0, this is 1.0");
}

static void a_plugin_of_a_newer_minor_abi_is_refused(void **unused)
{
	(void)unused;
	assert_refused(test_plugin("newer_minor"), SL_EPLUGIN,
		       "made for plugin ABI 1.1, this is 1.0");
}

static void a_shared_object_without_the_symbol_is_no_plugin(void **unused)
{
	(void)unused;
	assert_refused(test_plugin("no_symbol"), SL_EPLUGIN,
		       "no plugin: it has no symbol \"sluice_plugin\"");
}

static void a_symbol_only_declared_makes_no_plugin(void **unused)
{
	(void)unused;
	assert_refused(test_plugin("declared_only"), SL_EPLUGIN,
		       "no plugin: its symbol \"sluice_plugin\" is declared "
		       "but not defined");
}

static void a_symbol_that_is_no_structure_makes_no_plugin(void **unused)
{
	static const char *const names[] = { "function_symbol", "zero_symbol",
					     "short_symbol" };

	(void)unused;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		assert_refused(test_plugin(names[i]), SL_EPLUGIN,
			       "no plugin: its symbol \"sluice_plugin\" is no "
			       "struct sl_plugin with a value");
}

static void a_size_that_the_symbol_does_not_hold_is_refused(void **unused)
{
	(void)unused;
	assert_refused(test_plugin("slip_size_large"), SL_EPLUGIN,
		       "its struct sl_plugin says 4096 bytes, the symbol has "
		       "%zu",
		       sizeof(struct sl_plugin));
	assert_refused(test_plugin("slip_size_small"), SL_EPLUGIN,
		       "its struct sl_plugin says 8 bytes, the symbol has %zu",
		       sizeof(struct sl_plugin));
}

static const char *copy_good(const char *folder)
{
	struct bytes file = read_file(test_plugin("good"));
	const char *path = write_file(folder, "x.so", file.data, file.size);

	free(file.data);
	return path;
}

static void a_plugin_that_others_can_write_is_refused(void **folder)
{
	const char *path = copy_good(*folder);

	assert_int_equal(chmod(path, 0646), 0);
	assert_refused(path, SL_EPLUGIN, "writable by others; chmod o-w it");
}

static void a_plugin_in_a_folder_that_others_can_write_is_refused(void **folder)
{
	const char *path = copy_good(*folder);

	assert_int_equal(chmod(*folder, 0757), 0);
	assert_refused(path, SL_EPLUGIN,
		       "its folder is writable by others; chmod o-w %s",
		       (const char *)*folder);
}

static void a_sticky_folder_protects_its_files(void **folder)
{
	const char *path = copy_good(*folder);

	assert_int_equal(chmod(*folder, 0757 | S_ISVTX), 0);
	assert_int_equal(sl_plugin_check(path, NULL), SL_OK);
}

static void a_link_into_a_folder_that_others_can_write_is_refused(void **folder)
{
	void *other = NULL;
	const char *path, *link = path_in(*folder, "link.so");

	assert_int_equal(make_folder(&other), 0);
	path = copy_good(other);
	assert_int_equal(chmod(other, 0757), 0);
	assert_int_equal(symlink(path, link), 0);
	assert_refused(link, SL_EPLUGIN,
		       "its folder is writable by others; chmod o-w %s",
		       (const char *)other);
	assert_int_equal(remove_folder(&other), 0);
}

static void
a_plugin_that_needs_a_sanitizer_is_refused_by_a_plain_host(void **unused)
{
	(void)unused;
#ifdef SL_TEST_SANITIZED
	struct sl_error error = { 0 };
	char library[64] = "";
	const char *path = test_plugin("sanitized");
	const char *name;

	assert_int_equal(sl_plugin_check(path, &error), SL_EPLUGIN);
	/* Its name is the compiler's affair. */
	name = strstr(error.message, "lib");
	assert_non_null(name);
	assert_int_equal(sscanf(name, "lib%50[^,]", library), 1);
	assert_error(&error, path, SL_EPLUGIN,
		     "linked to lib%s, which this program is not; rebuild the "
		     "plugin without -fsanitize=address, or this program with "
		     "it",
		     library);
#else
	skip();
#endif
}

static void a_long_path_leaves_room_for_the_message(void **unused)
{
	struct sl_error error = { 0 };
	char path[600] = { 0 };

	(void)unused;
	memset(path, 'x', sizeof(path) - 1);
	path[0] = '/';
	assert_int_equal(sl_plugin_check(path, &error), SL_EIO);
	assert_error(&error, path + strlen(path) - 256, SL_EIO,
		     "File name too long");
}

#define IN_FOLDER(test) \
	cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

int main(void)
{
	const struct CMUnitTest elf_check[] = {
		cmocka_unit_test(a_good_plugin_passes),
		IN_FOLDER(a_file_that_is_not_there_is_an_io_error),
		IN_FOLDER(text_is_not_an_elf_file),
		IN_FOLDER(an_empty_file_is_refused),
		IN_FOLDER(a_folder_is_no_plugin),
		IN_FOLDER(a_fifo_is_refused_without_waiting_for_a_writer),
		cmocka_unit_test(a_device_is_refused),
		IN_FOLDER(a_half_copied_plugin_is_cut_off),
		IN_FOLDER(a_plugin_cut_in_its_elf_header_is_cut_off),
		IN_FOLDER(a_plugin_that_lacks_its_last_byte_is_cut_off),
		IN_FOLDER(
			a_plugin_cut_at_any_length_is_refused_and_kills_nobody),
		IN_FOLDER(a_plugin_of_another_class_is_refused),
		IN_FOLDER(a_plugin_of_the_other_byte_order_is_refused),
#ifdef __x86_64__
		IN_FOLDER(a_plugin_of_another_machine_is_refused),
		IN_FOLDER(a_program_and_an_object_file_are_no_shared_objects),
		IN_FOLDER(a_plugin_without_section_headers_is_refused),
#endif
		cmocka_unit_test(a_plugin_of_another_major_abi_is_refused),
		cmocka_unit_test(a_plugin_of_a_newer_minor_abi_is_refused),
		cmocka_unit_test(
			a_shared_object_without_the_symbol_is_no_plugin),
		cmocka_unit_test(a_symbol_only_declared_makes_no_plugin),
		cmocka_unit_test(a_symbol_that_is_no_structure_makes_no_plugin),
		cmocka_unit_test(
			a_size_that_the_symbol_does_not_hold_is_refused),
		IN_FOLDER(a_plugin_that_others_can_write_is_refused),
		IN_FOLDER(
			a_plugin_in_a_folder_that_others_can_write_is_refused),
		IN_FOLDER(a_sticky_folder_protects_its_files),
		IN_FOLDER(
			a_link_into_a_folder_that_others_can_write_is_refused),
		cmocka_unit_test(
			a_plugin_that_needs_a_sanitizer_is_refused_by_a_plain_host),
		cmocka_unit_test(a_long_path_leaves_room_for_the_message),
	};

	return cmocka_run_group_tests(elf_check, NULL, NULL);
}
