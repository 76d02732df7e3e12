/** Text kept in this browser. Where storage is refused, nothing is remembered and nothing breaks. */
export const localStore = {
  read(key: string): string | null {
    try {
      return localStorage.getItem(key)
    } catch {
      return null
    }
  },
  write(key: string, value: string | null) {
    try {
      if (value === null) localStorage.removeItem(key)
      else localStorage.setItem(key, value)
    } catch {
      // The browser refuses storage; the value lives until the page is closed.
    }
  },
}
