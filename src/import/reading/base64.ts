/** Base64, with blanks and line breaks wherever they are, from bytes to bytes: RFC 4648. Cost O(bytes). */

const NONE = 0xff
const PADDING = 61

const values = new Uint8Array(256).fill(NONE)
for (const [value, letter] of [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].entries()) {
  values[letter.charCodeAt(0)] = value
}
values['-'.charCodeAt(0)] = 62
values['_'.charCodeAt(0)] = 63

/** In memory of its own. What is no letter of base64 is passed over, as everywhere; it ends where it is padded. */
export function decodeBase64(text: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(Math.ceil((text.length * 3) / 4))
  let size = 0
  let bits = 0
  let held = 0
  for (let k = 0; k < text.length; k++) {
    const byte = text[k]
    const value = values[byte]
    if (value === NONE) {
      if (byte === PADDING) break
      continue
    }
    bits = ((bits << 6) | value) & 0xffffff
    if (++held === 4) {
      bytes[size++] = bits >> 16
      bytes[size++] = (bits >> 8) & 0xff
      bytes[size++] = bits & 0xff
      held = 0
    }
  }
  // two letters more are a byte, three are two
  if (held >= 2) bytes[size++] = (bits >> (held === 2 ? 4 : 10)) & 0xff
  if (held === 3) bytes[size++] = (bits >> 2) & 0xff
  return bytes.subarray(0, size)
}
