/** Of a text in UTF-8, as hexadecimal digits. FIPS 180-4. Programs have no host functions for it. */
export const SHA256 = `(() => {
  const primes = []
  for (let n = 2; primes.length < 64; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n)
  const fraction = (root) => Math.floor((root - Math.floor(root)) * 2 ** 32) >>> 0
  const constants = primes.map((prime) => fraction(Math.cbrt(prime)))
  const start = primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)))
  const rotate = (word, bits) => (word >>> bits) | (word << (32 - bits))
  const bytesOf = (text) => {
    const encoded = encodeURIComponent(String(text).toWellFormed())
    const bytes = []
    for (let i = 0; i < encoded.length; i++) {
      if (encoded[i] !== '%') bytes.push(encoded.charCodeAt(i))
      else {
        bytes.push(parseInt(encoded.slice(i + 1, i + 3), 16))
        i += 2
      }
    }
    return bytes
  }
  return (text) => {
    const bytes = bytesOf(text)
    const bits = bytes.length * 8
    bytes.push(0x80)
    while (bytes.length % 64 !== 56) bytes.push(0)
    for (let shift = 56; shift >= 0; shift -= 8) bytes.push(Math.floor(bits / 2 ** shift) & 0xff)
    const hash = [...start]
    const words = new Uint32Array(64)
    for (let offset = 0; offset < bytes.length; offset += 64) {
      for (let i = 0; i < 16; i++) {
        const at = offset + i * 4
        words[i] = (bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3]
      }
      for (let i = 16; i < 64; i++) {
        const a = words[i - 15]
        const b = words[i - 2]
        const first = rotate(a, 7) ^ rotate(a, 18) ^ (a >>> 3)
        const second = rotate(b, 17) ^ rotate(b, 19) ^ (b >>> 10)
        words[i] = words[i - 16] + first + words[i - 7] + second
      }
      let [a, b, c, d, e, f, g, h] = hash
      for (let i = 0; i < 64; i++) {
        const choice = (e & f) ^ (~e & g)
        const one = (h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + choice + constants[i] + words[i]) >>> 0
        const majority = (a & b) ^ (a & c) ^ (b & c)
        const two = ((rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + majority) >>> 0
        ;[h, g, f, e, d, c, b, a] = [g, f, e, (d + one) >>> 0, c, b, a, (one + two) >>> 0]
      }
      ;[a, b, c, d, e, f, g, h].forEach((word, i) => { hash[i] = (hash[i] + word) >>> 0 })
    }
    return hash.map((word) => word.toString(16).padStart(8, '0')).join('')
  }
})()`
