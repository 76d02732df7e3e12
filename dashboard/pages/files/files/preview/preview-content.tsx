import { useState } from 'react'
import { counted } from '../../../../../contract/counted.ts'
import { LOCALE, t } from '../../../../../contract/text.ts'
import { textWithNames } from '../../../../../contract/text-with-names.ts'
import { type Theme, useTheme } from '../../../../state/theme.ts'
import type { Preview } from '../files-queries.ts'

type Sheets = Extract<Preview, { kind: 'table' }>['sheets']

/** Limits rendering time. */
const ROWS_MAX = 200
const COLUMNS_MAX = 40

export function PreviewTable({ sheets }: { sheets: Sheets }) {
  const [shownIndex, setShownIndex] = useState(0)
  const sheet = sheets[shownIndex]
  if (!sheet) return <p className="px-16 py-24 text-13 text-neutral-11">No rows.</p>
  const rows = sheet.rows.slice(0, ROWS_MAX)
  return (
    <>
      {sheets.length > 1 && (
        <div
          role="tablist"
          aria-label="Sheets"
          className="flex overflow-x-auto border-neutral-6 border-b px-8"
        >
          {sheets.map(({ name }, index) => (
            <button
              // biome-ignore lint/suspicious/noArrayIndexKey: the order of sheets is fixed.
              key={index}
              type="button"
              role="tab"
              aria-selected={index === shownIndex}
              onClick={() => setShownIndex(index)}
              className="h-32 shrink-0 border-transparent border-b-2 px-8 text-12 text-neutral-11 -outline-offset-2 aria-selected:border-selection aria-selected:font-medium aria-selected:text-neutral-12"
            >
              {name}
            </button>
          ))}
        </div>
      )}
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard.
        tabIndex={0}
        aria-label={textWithNames`Rows in ${sheet.name}`}
        className="max-h-nested-max overflow-auto in-data-filling:max-h-none in-data-filling:flex-1 -outline-offset-2"
      >
        <table className="border-separate border-spacing-0 text-12 tabular-nums">
          <tbody>
            {rows.map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity but their index.
              <tr key={index}>
                <th
                  scope="row"
                  className="sticky left-0 border-neutral-6 border-r border-b bg-inset px-8 py-4 text-right font-regular text-neutral-11"
                >
                  {index + 1}
                </th>
                {row.slice(0, COLUMNS_MAX).map((cell, column) => (
                  <td
                    // biome-ignore lint/suspicious/noArrayIndexKey: cells have no identity but their index.
                    key={column}
                    className={`max-w-filter truncate border-neutral-6 border-r border-b px-8 py-4 ${index === 0 ? 'bg-inset font-medium' : ''} ${NUMBER.test(cell) ? 'text-right' : ''}`}
                    title={cell.length > 24 ? cell : undefined}
                  >
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <p className="px-16 py-8 text-12 text-neutral-11 tabular-nums">
        {rows.length < sheet.totalRows
          ? t`First ${rows.length} of ${sheet.totalRows.toLocaleString(LOCALE)} rows`
          : counted(sheet.totalRows, 'row')}
        , {counted(sheet.totalColumns, 'column')}
      </p>
    </>
  )
}

const NUMBER = /^[-+]?[\d.,\s]*\d%?$/

/**
 * No scripts or forms; the frame inherits this page's CSP. It shares our origin only to load our stylesheet, since
 * inline styles are blocked.
 */
const SANDBOX = 'allow-same-origin allow-popups allow-popups-to-escape-sandbox'
const HEIGHT_MIN_PX = 320

interface PreviewDocumentProps {
  html: string
  mimeType: string
  title: string
}

export function PreviewDocument({ html, mimeType, title }: PreviewDocumentProps) {
  const [height, setHeight] = useState(HEIGHT_MIN_PX)
  const theme = useTheme()
  return (
    <div className="max-h-nested-max overflow-y-auto in-data-filling:max-h-none in-data-filling:flex-1">
      <iframe
        title={textWithNames`Preview: ${title}`}
        sandbox={SANDBOX}
        srcDoc={documentOf(html, layoutOf(mimeType), theme)}
        style={{ height }}
        onLoad={({ currentTarget: { contentWindow, contentDocument } }) => {
          const measure = () => setHeight(Math.max(HEIGHT_MIN_PX, contentDocument?.body.offsetHeight ?? 0))
          measure()
          // Text wraps anew in another width.
          contentWindow?.addEventListener('resize', measure)
        }}
        className="block w-full"
      />
    </div>
  )
}

/** A class in `document.css`. */
const layoutOf = (mimeType: string) =>
  /presentation/.test(mimeType) ? 'slides' : /word/.test(mimeType) ? 'sheet' : 'plain'

/** Without a theme of its own, the frame follows the system's, also while it's open. */
function documentOf(html: string, layout: 'slides' | 'sheet' | 'plain', theme: Theme): string {
  const sheets = Array.from(
    document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]'),
    ({ href }) => href,
  )
  const links = sheets.map((href) => `<link rel="stylesheet" href="${encodeURI(href)}">`).join('')
  const ownTheme = theme === 'system' ? '' : ` data-theme="${theme}"`
  return `<!doctype html><html${ownTheme}><head><base target="_blank">${links}</head><body class="document document-${layout}"><main>${html}</main></body></html>`
}
