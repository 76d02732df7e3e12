import { useState } from 'react'
import { textWithNames } from '../../../../../contract/text-with-names.ts'
import { shownTheme } from '../../../../state/theme.ts'

/**
 * A document in a sandboxed frame: the sandbox allows no scripts and no forms, and the frame inherits the CSP of
 * this page. It has our origin only so that it can load our stylesheet, since inline styles are blocked.
 */
const SANDBOX = 'allow-same-origin allow-popups allow-popups-to-escape-sandbox'
const HEIGHT_MIN_PX = 320

export function PreviewDocument({ html, title }: { html: string; title: string }) {
  const [height, setHeight] = useState(HEIGHT_MIN_PX)
  return (
    <div className="max-h-half overflow-y-auto in-data-filling:max-h-none in-data-filling:flex-1">
      <iframe
        title={textWithNames`Preview of ${title}`}
        sandbox={SANDBOX}
        srcDoc={documentOf(html)}
        style={{ height }}
        onLoad={(event) =>
          setHeight(event.currentTarget.contentDocument?.documentElement.scrollHeight ?? HEIGHT_MIN_PX)
        }
        className="block w-full"
      />
    </div>
  )
}

function documentOf(html: string): string {
  const sheets = Array.from(
    document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]'),
    ({ href }) => href,
  )
  const links = sheets.map((href) => `<link rel="stylesheet" href="${encodeURI(href)}">`).join('')
  return `<!doctype html><html data-theme="${shownTheme()}"><head><base target="_blank">${links}</head><body class="document">${html}</body></html>`
}
