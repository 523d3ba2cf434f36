/* SPDX-License-Identifier: MIT */
/* The check of a plugin's file before it is loaded. dlopen() maps what the
 * headers promise, so a file that is shorter kills the process with SIGBUS.
 * Everything is read with pread(), here and in libelf: to map the file would
 * bring the SIGBUS to us. */
#include "pipeline/loader.h"

#include <errno.h>
#include <gelf.h>
#include <libelf.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "pipeline/sanitizer.h"

static const char symbol_name[] = "sluice_plugin";

/** Bytes of struct sl_plugin that no version will ever move. */
enum { FROZEN = offsetof(struct sl_plugin, abi) + sizeof(uint32_t) };

/* The linker's name for the header of the file that holds this very code: it
 * knows our class, byte order and machine better than a list of macros. */
extern const ElfW(Ehdr) __ehdr_start;

/** The file under check. */
struct image {
	const char *path; /**< as shown in messages; borrowed */
	int fd;
	uint64_t size; /**< bytes */
	Elf *elf;
	ElfW(Ehdr) header;
};

static bool inside(uint64_t offset, uint64_t length, uint64_t size)
{
	return offset <= size && length <= size - offset;
}

/** Refuse @p what ("a segment ends") if it leaves the file. */
static enum sl_code check_inside(const struct image *image, const char *what,
				 uint64_t offset, uint64_t length,
				 struct sl_error *error)
{
	uint64_t end = offset + length;

	if (inside(offset, length, image->size))
		return SL_OK;
	if (end < offset)
		end = UINT64_MAX;
	return SL_FAIL(error, SL_EPLUGIN,
		       "%s: cut off: %s at byte %llu, the file at %llu",
		       image->path, what, (unsigned long long)end,
		       (unsigned long long)image->size);
}

static enum sl_code libelf_failed(const struct image *image, const char *what,
				  struct sl_error *error)
{
	return SL_FAIL(error, SL_EPLUGIN, "%s: damaged: cannot read %s: %s",
		       image->path, what, elf_errmsg(-1));
}

static const char *machine_word(unsigned machine)
{
	switch (machine) {
	case EM_386:
		return "x86";
	case EM_X86_64:
		return "x86-64";
	case EM_ARM:
		return "ARM";
	case EM_AARCH64:
		return "AArch64";
	case EM_RISCV:
		return "RISC-V";
	case EM_PPC64:
		return "PowerPC 64";
	case EM_S390:
		return "S/390";
	default:
		return "another machine";
	}
}

static const char *type_word(unsigned type)
{
	switch (type) {
	case ET_REL:
		return "an object file, link it with -shared";
	case ET_EXEC:
		return "a program";
	case ET_CORE:
		return "a core dump";
	default:
		return "of an unknown type";
	}
}

/* Whether the file is of our kind at all. The class comes before the length,
 * as headers of another class have another length. */
static enum sl_code check_kind(const struct image *image, size_t got,
			       struct sl_error *error)
{
	const unsigned char *ident = image->header.e_ident;
	const unsigned char *ours = __ehdr_start.e_ident;

	if (got == 0)
		return SL_FAIL(error, SL_EPLUGIN, "%s: empty", image->path);
	if (got < SELFMAG || memcmp(ident, ELFMAG, SELFMAG) != 0)
		return SL_FAIL(error, SL_EPLUGIN, "%s: not an ELF file",
			       image->path);
	if (got > EI_CLASS && ident[EI_CLASS] != ours[EI_CLASS])
		return SL_FAIL(error, SL_EPLUGIN,
			       "%s: not for programs of %u bits", image->path,
			       (unsigned)sizeof(void *) * 8);
	if (got > EI_DATA && ident[EI_DATA] != ours[EI_DATA])
		return SL_FAIL(error, SL_EPLUGIN,
			       "%s: made for the other byte order",
			       image->path);
	if (got < sizeof(image->header))
		return check_inside(image, "the ELF header ends", 0,
				    sizeof(image->header), error);
	if (image->header.e_machine != __ehdr_start.e_machine)
		return SL_FAIL(error, SL_EPLUGIN, "%s: made for %s, this is %s",
			       image->path,
			       machine_word(image->header.e_machine),
			       machine_word(__ehdr_start.e_machine));
	if (image->header.e_type != ET_DYN)
		return SL_FAIL(error, SL_EPLUGIN,
			       "%s: not a shared object but %s", image->path,
			       type_word(image->header.e_type));
	return SL_OK;
}

/* That there are two tables, of rows as we know them. Where the second ends
 * is for check_sections(). */
static enum sl_code check_tables(const struct image *image,
				 struct sl_error *error)
{
	const ElfW(Ehdr) *header = &image->header;
	enum sl_code code;

	if (header->e_phnum == 0 || header->e_phentsize != sizeof(ElfW(Phdr)))
		return SL_FAIL(error, SL_EPLUGIN,
			       "%s: damaged: no program headers", image->path);
	code = check_inside(image, "the program headers end", header->e_phoff,
			    (uint64_t)header->e_phnum * sizeof(ElfW(Phdr)),
			    error);
	if (code != SL_OK)
		return code;
	if (header->e_shnum == 0 || header->e_shentsize != sizeof(ElfW(Shdr)))
		return SL_FAIL(error, SL_EPLUGIN,
			       "%s: no section headers; do not strip them",
			       image->path);
	return SL_OK;
}

/* A file cut off first misses its section headers, as linkers put them last.
 * But what is missing of a segment says more, so that comes first. */
static enum sl_code check_segments(const struct image *image,
				   struct sl_error *error)
{
	for (int i = 0; i < image->header.e_phnum; i++) {
		GElf_Phdr segment;
		enum sl_code code;

		if (!gelf_getphdr(image->elf, i, &segment))
			return libelf_failed(image, "the program headers",
					     error);
		if (segment.p_type == PT_NULL)
			continue;
		code = check_inside(image, "a segment ends", segment.p_offset,
				    segment.p_filesz, error);
		if (code != SL_OK)
			return code;
	}
	return SL_OK;
}

static enum sl_code check_sections(const struct image *image,
				   struct sl_error *error)
{
	enum sl_code code = check_inside(
		image, "the section headers end", image->header.e_shoff,
		(uint64_t)image->header.e_shnum * sizeof(ElfW(Shdr)), error);
	Elf_Scn *section = NULL;

	while (code == SL_OK && (section = elf_nextscn(image->elf, section))) {
		GElf_Shdr header;

		if (!gelf_getshdr(section, &header))
			return libelf_failed(image, "the section headers",
					     error);
		if (header.sh_type != SHT_NOBITS)
			code = check_inside(image, "a section ends",
					    header.sh_offset, header.sh_size,
					    error);
	}
	return code;
}

/** The first section of @p type. @return its data, borrowed; NULL: there is
 * none that can be read. */
static Elf_Data *find_section(const struct image *image, uint32_t type,
			      GElf_Shdr *header)
{
	Elf_Scn *section = NULL;

	while ((section = elf_nextscn(image->elf, section))) {
		Elf_Data *data;

		if (!gelf_getshdr(section, header) || header->sh_type != type)
			continue;
		data = elf_getdata(section, NULL);
		return data && data->d_buf ? data : NULL;
	}
	return NULL;
}

static enum sl_code find_symbol(const struct image *image, GElf_Sym *symbol,
				struct sl_error *error)
{
	GElf_Shdr header;
	Elf_Data *data = find_section(image, SHT_DYNSYM, &header);

	for (int i = 0; data && gelf_getsym(data, i, symbol); i++) {
		const char *name =
			elf_strptr(image->elf, header.sh_link, symbol->st_name);

		if (name && strcmp(name, symbol_name) == 0)
			return SL_OK;
	}
	return SL_FAIL(error, SL_EPLUGIN,
		       "%s: no plugin: it has no symbol \"%s\"", image->path,
		       symbol_name);
}

/** Where the bytes of a symbol are in the file.
 * @return whether a segment that is loaded has its first @p length bytes. */
static bool find_bytes(const struct image *image, const GElf_Sym *symbol,
		       uint64_t length, uint64_t *offset)
{
	GElf_Phdr segment;

	for (int i = 0; i < image->header.e_phnum; i++) {
		if (!gelf_getphdr(image->elf, i, &segment) ||
		    segment.p_type != PT_LOAD ||
		    symbol->st_value < segment.p_vaddr)
			continue;
		*offset = symbol->st_value - segment.p_vaddr;
		if (inside(*offset, length, segment.p_filesz)) {
			*offset += segment.p_offset;
			return true;
		}
	}
	return false;
}

static enum sl_code check_version(const struct image *image,
				  const struct sl_plugin *head, uint64_t room,
				  struct sl_error *error)
{
	if (head->abi >> 16 != SL_PLUGIN_ABI_MAJOR ||
	    (head->abi & 0xffff) > SL_PLUGIN_ABI_MINOR)
		return SL_FAIL(error, SL_EPLUGIN,
			       "%s: made for plugin ABI %u.%u, this is %d.%d",
			       image->path, (unsigned)head->abi >> 16,
			       (unsigned)head->abi & 0xffff,
			       SL_PLUGIN_ABI_MAJOR, SL_PLUGIN_ABI_MINOR);
	if (head->size < FROZEN || head->size > room)
		return SL_FAIL(error, SL_EPLUGIN,
			       "%s: its struct sl_plugin says %zu bytes, the "
			       "symbol has %llu",
			       image->path, head->size,
			       (unsigned long long)room);
	return SL_OK;
}

static enum sl_code check_symbol(const struct image *image,
				 struct sl_error *error)
{
	struct sl_plugin head = { 0 };
	GElf_Sym symbol;
	uint64_t offset;
	enum sl_code code = find_symbol(image, &symbol, error);

	if (code != SL_OK)
		return code;
	if (symbol.st_shndx == SHN_UNDEF)
		return SL_FAIL(error, SL_EPLUGIN,
			       "%s: no plugin: its symbol \"%s\" is declared "
			       "but not defined",
			       image->path, symbol_name);
	if (GELF_ST_TYPE(symbol.st_info) != STT_OBJECT ||
	    symbol.st_size < FROZEN ||
	    !find_bytes(image, &symbol, symbol.st_size, &offset))
		return SL_FAIL(error, SL_EPLUGIN,
			       "%s: no plugin: its symbol \"%s\" is no "
			       "struct sl_plugin with a value",
			       image->path, symbol_name);
	if (pread(image->fd, &head, FROZEN, (off_t)offset) != FROZEN)
		return SL_FAIL(error, SL_EIO, "%s: cannot be read",
			       image->path);
	return check_version(image, &head, symbol.st_size, error);
}

/* We read the section, dlopen() reads the segment. */
static bool is_dynamic_segment(const struct image *image, uint64_t offset)
{
	GElf_Phdr segment;

	for (int i = 0; i < image->header.e_phnum; i++)
		if (gelf_getphdr(image->elf, i, &segment) &&
		    segment.p_type == PT_DYNAMIC)
			return segment.p_offset == offset;
	return false;
}

static enum sl_code check_needed(const struct image *image,
				 struct sl_error *error)
{
	GElf_Shdr header;
	Elf_Data *data = find_section(image, SHT_DYNAMIC, &header);
	GElf_Dyn entry;

	if (!data || !is_dynamic_segment(image, header.sh_offset))
		return SL_FAIL(error, SL_EPLUGIN,
			       "%s: damaged: no dynamic section", image->path);
	for (int i = 0; gelf_getdyn(data, i, &entry); i++) {
		const char *library, *word;

		if (entry.d_tag == DT_NULL)
			break;
		if (entry.d_tag != DT_NEEDED)
			continue;
		library = elf_strptr(image->elf, header.sh_link,
				     entry.d_un.d_val);
		if (!library)
			return libelf_failed(image, "its libraries", error);
		word = sl_sanitizer_missing(library);
		if (word)
			return SL_FAIL(error, SL_EPLUGIN,
				       "%s: linked to %s, which this program "
				       "is not; rebuild the plugin without "
				       "-fsanitize=%s, or this program with it",
				       image->path, library, word);
	}
	return SL_OK;
}

static enum sl_code check_image(struct image *image, struct sl_error *error)
{
	typedef enum sl_code check(const struct image *, struct sl_error *);
	static check *const checks[] = {
		check_tables, check_segments, check_sections,
		check_symbol, check_needed,
	};
	ssize_t got =
		pread(image->fd, &image->header, sizeof(image->header), 0);
	enum sl_code code;

	if (got < 0)
		return SL_FAIL(error, SL_EIO, "%s: %s", image->path,
			       strerror(errno));
	code = check_kind(image, (size_t)got, error);
	if (code != SL_OK)
		return code;
	elf_version(EV_CURRENT);
	image->elf = elf_begin(image->fd, ELF_C_READ, NULL);
	if (!image->elf || elf_kind(image->elf) != ELF_K_ELF)
		return libelf_failed(image, "the ELF header", error);
	for (size_t i = 0; i < sizeof(checks) / sizeof(checks[0]); i++) {
		code = checks[i](image, error);
		if (code != SL_OK)
			break;
	}
	return code;
}

enum sl_code sl_plugin_check(const char *path, struct sl_error *error)
{
	struct image image = { .path = sl_path_tail(path) };
	enum sl_code code = sl_plugin_open(path, &image.fd, &image.size, error);

	if (code != SL_OK)
		return code;
	code = check_image(&image, error);
	elf_end(image.elf);
	close(image.fd);
	return code;
}
