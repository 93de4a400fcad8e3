// SPDX-License-Identifier: MIT
//
// srgw_convert_probe: reads a graph and writes it again, for tests/python/test_formats.py.
//
//     srgw_convert_probe INPUT OUTPUT [directed]
#include <cstdlib>
#include <exception>
#include <iostream>
#include <string_view>

#include "srgw/io.hpp"

int main(int count, char** arguments) {
  if (count < 3) {
    std::cerr << "usage: srgw_convert_probe INPUT OUTPUT [directed]\n";
    return EXIT_FAILURE;
  }
  try {
    const bool directed = count > 3 && std::string_view(arguments[3]) == "directed";
    srgw::io::write_graph(srgw::io::read_graph(arguments[1], {.directed = directed}), arguments[2]);
    return EXIT_SUCCESS;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return EXIT_FAILURE;
  }
}
