// SPDX-License-Identifier: MIT
// Compiles fmt once. With its header-only form each file that formats a number takes four seconds
// more to compile, and Debian has no static library of it.
#include <fmt/format-inl.h>

FMT_BEGIN_NAMESPACE
namespace detail {
// fmt/format.h declares these as extern templates.
template auto thousands_sep_impl<char>(locale_ref) -> thousands_sep_result<char>;
template auto decimal_point_impl<char>(locale_ref) -> char;
}  // namespace detail
FMT_END_NAMESPACE
