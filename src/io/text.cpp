#include "io/text.hpp"

#include <cstring>
#include <kohypar/error.hpp>

namespace kohypar {

namespace {

/// The position after the next line end, or the end.
const char* after_line(const char* at, const char* end) {
  const void* const line_end = std::memchr(at, '\n', static_cast<std::size_t>(end - at));
  return line_end == nullptr ? end : static_cast<const char*>(line_end) + 1;
}

}  // namespace

void TextCursor::next_line() {
  if (at_ == end_) return;
  at_ = after_line(at_, end_);
  ++line_;
}

std::string_view TextCursor::field() {
  if (at_line_end()) return {};
  const char* const begin = at_;
  while (at_ != end_ && !is_blank(*at_) && *at_ != '\n') ++at_;
  return {begin, static_cast<std::size_t>(at_ - begin)};
}

void TextCursor::end_line() {
  if (!at_line_end()) fail("the end of the line");
  next_line();
}

void TextCursor::fail(const std::string& expected) {
  const std::string_view found = field();
  std::string what = quoted(found);
  if (found.empty()) what = at_ == end_ ? "the end of the file" : "the end of the line";
  refuse("expected " + expected + ", found " + what);
}

void TextCursor::refuse(const std::string& what) const {
  throw Error(ErrorKind::input, name_ + ": line " + std::to_string(line_) + ": " + what);
}

void TextCursor::fail_range(const char* what, const std::string& low, const std::string& high) {
  fail(what + (" from " + low) + " to " + high);
}

TextCounts& TextCounts::operator+=(const TextCounts& other) {
  lines += other.lines;
  comments += other.comments;
  content += other.content;
  tokens += other.tokens;
  return *this;
}

TextCounts count_text(std::string_view text, char comment) {
  TextCounts counts;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at != end) {
    ++counts.lines;
    while (at != end && is_blank(*at)) ++at;
    if (at != end && *at == comment) {
      ++counts.comments;
      at = after_line(at, end);
      continue;
    }
    std::uint64_t tokens = 0;
    bool inside = false;
    for (; at != end && *at != '\n'; ++at) {
      const bool is_token = !is_blank(*at);
      tokens += is_token && !inside ? 1 : 0;
      inside = is_token;
    }
    counts.tokens += tokens;
    counts.content += tokens > 0 ? 1 : 0;
    if (at != end) ++at;
  }
  return counts;
}

SplitText split_text(std::string_view text, const HostThreads& threads, char comment) {
  SplitText split;
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  for (const char* at = begin; at != end;) {
    const std::size_t rest = static_cast<std::size_t>(end - at);
    const char* const next = rest <= threads.chunk ? end : after_line(at + threads.chunk - 1, end);
    split.chunks.push_back({{at, static_cast<std::size_t>(next - at)}, {}});
    at = next;
  }
  for_each_chunk(threads, split.chunks.size(),
                 [&](std::size_t i) { split.chunks[i].before = count_text(split.chunks[i].text, comment); });
  for (TextChunk& chunk : split.chunks) {
    const TextCounts counts = std::exchange(chunk.before, split.total);
    split.total += counts;
  }
  return split;
}

void check_believable(const TextCursor& cursor, const char* things, std::uint64_t count, const Input& input) {
  if (!believable_count(count, input)) cursor.refuse(unbelievable(things, count, input));
}

std::string quoted(std::string_view field) {
  constexpr std::size_t longest = 40;
  std::string result = "'";
  for (const char c : field.substr(0, longest)) result += c >= ' ' && c <= '~' ? c : '?';
  return result + (field.size() > longest ? "...'" : "'");
}

}  // namespace kohypar
