# The versions of Kokkos and cxxopts that work: in one place for the build and for scripts/dependencies.sh.
set(KOHYPAR_KOKKOS_VERSIONS 4.5...<6)
set(KOHYPAR_CXXOPTS_VERSION 3.0)
