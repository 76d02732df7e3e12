import { useState } from 'react'
import { shownTheme } from '../../../state/theme.ts'

/**
 * A document in a frame that runs nothing: its sandbox allows no scripts and no forms, and it inherits the policy of
 * this page besides. It counts as our origin only so that it may load our stylesheet, as it may have no styles inline.
 */
const SANDBOX = 'allow-same-origin allow-popups allow-popups-to-escape-sandbox'
const NARROWEST_PX = 320

export function PreviewDocument({ html, title }: { html: string; title: string }) {
  const [height, setHeight] = useState(NARROWEST_PX)
  return (
    <div className="max-h-half overflow-y-auto">
      <iframe
        title={`Content of ${title}`}
        sandbox={SANDBOX}
        srcDoc={pageOf(html)}
        style={{ height }}
        onLoad={(event) =>
          setHeight(event.currentTarget.contentDocument?.documentElement.scrollHeight ?? NARROWEST_PX)
        }
        className="block w-full"
      />
    </div>
  )
}

function pageOf(html: string): string {
  const sheets = Array.from(
    document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]'),
    ({ href }) => href,
  )
  const links = sheets.map((href) => `<link rel="stylesheet" href="${encodeURI(href)}">`).join('')
  return `<!doctype html><html data-theme="${shownTheme()}"><head><base target="_blank">${links}</head><body class="document">${html}</body></html>`
}
