/** A page that people send to others as a link. Its preview names the kind of the link, and nothing of its target. */
interface LinkedPage {
  path: RegExp
  title: string
  description: string
}

const LINKED_PAGES: LinkedPage[] = [
  {
    path: /^\/s(\/|$)/,
    title: 'Shared project · Atrium',
    description: 'Open this link to view a project that was shared with you.',
  },
  {
    path: /^\/f(\/|$)/,
    title: 'Shared file · Atrium',
    description: 'Open this link to view a file that was shared with you.',
  },
  {
    path: /^\/(invite|join)$/,
    title: 'Invitation · Atrium',
    description: 'Open this link to join an organization in Atrium.',
  },
  {
    path: /^\/device$/,
    title: 'Device login · Atrium',
    description: 'Open this link to approve the sign-in of a device.',
  },
]

/** The page with the title and description of its link; null for pages without a preview of their own. */
export function withPreview(html: string, path: string): string | null {
  const page = LINKED_PAGES.find((each) => each.path.test(path))
  if (!page) return null
  const { title, description } = page
  return html
    .replace(/<title>[^<]*<\/title>/, `<title>${title}</title>\n    <meta name="robots" content="noindex" />`)
    .replace(/(<meta property="og:title" content=")[^"]*/, `$1${title}`)
    .replace(/(<meta (?:name="description"|property="og:description") content=")[^"]*/g, `$1${description}`)
}
