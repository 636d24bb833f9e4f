// Recordings of other programs: a byte for the format, then the text. One that is accepted gives an
// artifact that can be written and read again, exported in every format, and keeps its limits.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "skill/format/format.h"
#include "skill/store/secrets.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace hebb::skill;
  if (size == 0) return 0;
  const std::string text(reinterpret_cast<const char*>(data + 1), size - 1);
  const auto formats = import_formats();
  try {
    Imported in = import_recording(text, std::string(formats[data[0] % formats.size()].name));
    in.artifact.hebb_version = "0";
    hide_secrets(in.artifact);
    const Json written = write_artifact(in.artifact);
    if (write_artifact(read_artifact(written)) != written) std::abort();
    for (const ExportFormat& format : export_formats()) {
      if (format.write({in.title, in.start_url, &in.artifact, nullptr}).empty()) std::abort();
    }
  } catch (const Invalid&) {
    return 0;
  }
  return 0;
}
