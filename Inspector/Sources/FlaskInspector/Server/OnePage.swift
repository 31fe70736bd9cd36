/// All that a feed holds, and the page, as one HTML file that works by itself, also from a disk.
///
/// Only what carries the nonce of this one file is run or styles it; the lines stand in an element that is data.
enum OnePage {
  static func html(of lines: [String]) -> String {
    let nonce = Gate.makeToken()
    let policy =
      "default-src 'none'; script-src 'nonce-\(nonce)'; style-src 'nonce-\(nonce)'; "
      + "img-src data:; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'"
    var html = ""
    for line in PageFile.index.text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.contains("<meta charset") {
        html += line + "\n<meta http-equiv=\"Content-Security-Policy\" content=\"\(policy)\">\n"
      } else if line.contains("<link rel=\"stylesheet\"") {
        html += "<style nonce=\"\(nonce)\">\n\(PageFile.style.text)</style>\n"
      } else if let script = PageFile.scripts.first(where: { line.contains("src=\"\($0.rawValue)\"") }) {
        if script == PageFile.scripts.first { html += data(lines) }
        html += "<script nonce=\"\(nonce)\">\n\(script.text)</script>\n"
      } else {
        html += line + "\n"
      }
    }
    return html
  }

  /// The lines have no `<`, so nothing in them ends the element.
  private static func data(_ lines: [String]) -> String {
    "<script type=\"application/json\" id=\"recorded\">[\n\(lines.joined(separator: ",\n"))\n]</script>\n"
  }
}
