// What every report says of the program that wrote it.
#pragma once

#include "io/json_writer.hpp"
#include "version.hpp"

namespace kohypar {

/// Members of the current object: "kohypar", "kokkos", "backends".
inline void write_version_members(JsonWriter& json) {
  json.member("kohypar", kohypar_version());
  json.member("kokkos", kokkos_version());
  json.list("backends", backends());
}

}  // namespace kohypar
