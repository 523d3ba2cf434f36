/* SPDX-License-Identifier: MIT */
/* Damaged plugins: whatever a byte of the file becomes, the check ends with an
 * answer. It only checks; what it lets pass is not loaded. */
#define _XOPEN_SOURCE 700 /* pwrite() */
#include "loader/files.h"

#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/** A copy of the good plugin, open to be damaged. */
struct patient {
	const char *path;
	struct bytes healthy;
	int fd;
};

static void patient_init(struct patient *patient, const char *folder)
{
	patient->healthy = read_file(test_plugin("good"));
	patient->path = write_file(folder, "x.so", patient->healthy.data,
				   patient->healthy.size);
	patient->fd = open(patient->path, O_WRONLY | O_CLOEXEC);
	assert_true(patient->fd >= 0);
}

static void patient_finish(struct patient *patient)
{
	close(patient->fd);
	free(patient->healthy.data);
}

static void set_bytes(const struct patient *patient, size_t at,
		      const unsigned char *bytes, size_t length)
{
	assert_int_equal(pwrite(patient->fd, bytes, length, (off_t)at), length);
}

static void assert_answer(const struct patient *patient)
{
	struct sl_error error = { 0 };
	enum sl_code code = sl_plugin_check(patient->path, &error);

	if (code == SL_OK)
		return;
	assert_int_equal(code, SL_EPLUGIN);
	assert_int_equal(
		strncmp(error.message, patient->path, strlen(patient->path)),
		0);
	assert_true(strlen(error.message) > strlen(patient->path) + 2);
}

/** Damage each byte of a range, in ways that make numbers zero, negative, huge
 * and slightly wrong. */
static void damage_each_byte(const struct patient *patient, size_t from,
			     size_t length)
{
	for (size_t at = from; at < from + length; at++) {
		unsigned char old = patient->healthy.data[at];
		unsigned char news[] = {
			0,
			0xff,
			0x7f,
			(unsigned char)(old ^ 0x80),
			(unsigned char)(old ^ 0x01),
			(unsigned char)(old + 8),
		};

		for (size_t i = 0; i < sizeof(news); i++) {
			set_bytes(patient, at, &news[i], 1);
			assert_answer(patient);
		}
		set_bytes(patient, at, &old, 1);
	}
}

static ElfW(Ehdr) header_of(const struct patient *patient)
{
	ElfW(Ehdr) header;

	memcpy(&header, patient->healthy.data, sizeof(header));
	return header;
}

static void a_damaged_elf_header_gets_an_answer(void **folder)
{
	struct patient patient;

	patient_init(&patient, *folder);
	damage_each_byte(&patient, 0, sizeof(ElfW(Ehdr)));
	patient_finish(&patient);
}

static void a_damaged_program_header_gets_an_answer(void **folder)
{
	struct patient patient;
	ElfW(Ehdr) header;

	patient_init(&patient, *folder);
	header = header_of(&patient);
	damage_each_byte(&patient, header.e_phoff,
			 header.e_phnum * sizeof(ElfW(Phdr)));
	patient_finish(&patient);
}

static void a_damaged_section_header_gets_an_answer(void **folder)
{
	struct patient patient;
	ElfW(Ehdr) header;

	patient_init(&patient, *folder);
	header = header_of(&patient);
	damage_each_byte(&patient, header.e_shoff,
			 header.e_shnum * sizeof(ElfW(Shdr)));
	patient_finish(&patient);
}

static void a_byte_damaged_anywhere_gets_an_answer(void **folder)
{
	struct patient patient;

	patient_init(&patient, *folder);
	for (size_t at = 0; at < patient.healthy.size; at++) {
		unsigned char old = patient.healthy.data[at];
		unsigned char new = (unsigned char)~old;

		set_bytes(&patient, at, &new, 1);
		assert_answer(&patient);
		set_bytes(&patient, at, &old, 1);
	}
	patient_finish(&patient);
}

/* xorshift64: the same damage every time. */
static uint64_t next(uint64_t *random)
{
	*random ^= *random << 13;
	*random ^= *random >> 7;
	*random ^= *random << 17;
	return *random;
}

/* Where one damage is caught early, another behind it is never seen. */
static void many_damaged_words_in_the_tables_get_an_answer(void **folder)
{
	enum { ROUNDS = 4000 };
	struct patient patient;
	uint64_t random = 88172645463325252u;
	ElfW(Ehdr) header;

	patient_init(&patient, *folder);
	header = header_of(&patient);
	for (int round = 0; round < ROUNDS; round++) {
		size_t table = header.e_shnum * sizeof(ElfW(Shdr)) / 8;
		uint64_t hurt = 1 + next(&random) % 8;

		for (uint64_t i = 0; i < hurt; i++) {
			size_t at = header.e_shoff + next(&random) % table * 8;
			uint64_t word = next(&random) >> next(&random) % 64;

			set_bytes(&patient, at, (unsigned char *)&word,
				  sizeof(word));
		}
		assert_answer(&patient);
		set_bytes(&patient, header.e_shoff,
			  patient.healthy.data + header.e_shoff, table * 8);
	}
	patient_finish(&patient);
}

/** Where the last segment ends in the file. */
static size_t segments_end(const struct patient *patient)
{
	ElfW(Ehdr) header = header_of(patient);
	size_t end = 0;

	for (size_t i = 0; i < header.e_phnum; i++) {
		ElfW(Phdr) segment;

		memcpy(&segment,
		       patient->healthy.data + header.e_phoff +
			       i * sizeof(segment),
		       sizeof(segment));
		if (segment.p_offset + segment.p_filesz > end)
			end = segment.p_offset + segment.p_filesz;
	}
	return end;
}

/* So looks a half-copied file whose space was reserved in advance. */
static void zeros_from_anywhere_in_a_segment_on_are_refused(void **folder)
{
	struct patient patient;
	size_t end;

	patient_init(&patient, *folder);
	end = segments_end(&patient);
	for (size_t at = patient.healthy.size; at-- > 0;) {
		static const unsigned char zero = 0;

		set_bytes(&patient, at, &zero, 1);
		if (at < end)
			assert_int_equal(sl_plugin_check(patient.path, NULL),
					 SL_EPLUGIN);
	}
	patient_finish(&patient);
}

#define IN_FOLDER(test) \
	cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

int main(void)
{
	const struct CMUnitTest elf_flips[] = {
		IN_FOLDER(a_damaged_elf_header_gets_an_answer),
		IN_FOLDER(a_damaged_program_header_gets_an_answer),
		IN_FOLDER(a_damaged_section_header_gets_an_answer),
		IN_FOLDER(a_byte_damaged_anywhere_gets_an_answer),
		IN_FOLDER(many_damaged_words_in_the_tables_get_an_answer),
		IN_FOLDER(zeros_from_anywhere_in_a_segment_on_are_refused),
	};

	return cmocka_run_group_tests(elf_flips, NULL, NULL);
}
