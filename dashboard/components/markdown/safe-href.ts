/** Allows only http, https and mailto; rejects javascript: and all others. */
export function safeHref(href: string): string | undefined {
  try {
    const { protocol, href: normalized } = new URL(href)
    return /^(https?|mailto):$/.test(protocol) ? normalized : undefined
  } catch {
    return undefined
  }
}
