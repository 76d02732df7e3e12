export type CookieClient = ReturnType<typeof createCookieClient>

/** Stores cookies per origin and follows redirects on demand, like a browser. */
export function createCookieClient() {
  const jars = new Map<string, Map<string, string>>()
  const jarOf = (url: URL) => {
    const jar = jars.get(url.origin) ?? new Map<string, string>()
    jars.set(url.origin, jar)
    return jar
  }

  /** `redirectUrl` is absolute, or null without a redirect. */
  async function visit(target: string | URL) {
    const url = new URL(target)
    const jar = jarOf(url)
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, { redirect: 'manual', headers: cookie ? { cookie } : {} })
    for (const line of response.headers.getSetCookie()) storeCookie(jar, line)
    const text = await response.text()
    const location = response.headers.get('location')
    return {
      status: response.status,
      text,
      location,
      redirectUrl: location === null ? null : new URL(location, url).href,
    }
  }

  return {
    visit,
    /** Returns the target without requesting it. */
    async followTo(prefix: string, from: string | URL): Promise<string> {
      let next: string | null = String(from)
      for (let hop = 0; hop < 12 && next !== null; hop++) {
        if (next.startsWith(prefix)) return next
        next = (await visit(next)).redirectUrl
      }
      throw new Error(`No redirect led to ${prefix}`)
    },
    cookieAt: (origin: string, name: string) => jars.get(origin)?.get(name),
    headersAt: (origin: string) => ({
      cookie: [...(jars.get(origin) ?? [])].map(([name, value]) => `${name}=${value}`).join('; '),
    }),
  }
}

function storeCookie(jar: Map<string, string>, line: string): void {
  const [pair = ''] = line.split(';')
  const [name = '', value = ''] = pair.split('=')
  const isDeleted = /expires=Thu, 01 Jan 1970/i.test(line) || value === ''
  if (isDeleted) jar.delete(name)
  else jar.set(name, value)
}
