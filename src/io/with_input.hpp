// Opening a file for a reader.
#pragma once

#include <kohypar/error.hpp>
#include <new>
#include <string>

#include "io/formats.hpp"
#include "io/input_file.hpp"

namespace kohypar {

/// Opens a file and parses it; running out of memory is reported with the file's name.
template <class Parse>
auto with_input(const std::string& path, const Parse& parse) {
  std::size_t size = 0;
  try {
    const InputFile file(path);
    size = file.bytes().size();
    return parse(Input{.bytes = file.bytes(), .name = path});
  } catch (const std::bad_alloc&) {
    throw Error(ErrorKind::out_of_memory,
                path + ": no memory left to read its " + std::to_string(size) + " bytes");
  }
}

}  // namespace kohypar
