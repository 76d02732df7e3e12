import { t } from '../../contract/text.ts'
import { showHidden } from './hidden-characters.ts'
import type { FoundPage } from './search-results.ts'

/** Other sites' words: text only, without their icons, and with the host in view. */
export const FoundPages = ({ pages }: { pages: readonly FoundPage[] }) =>
  pages.length === 0 ? (
    <p>{t`Nothing was found.`}</p>
  ) : (
    <ol aria-label="Search results" className="flex flex-col gap-12">
      {pages.map(({ title, url, host, snippet }) => (
        <li key={url} className="flex min-w-0 flex-col gap-2">
          <span className="flex min-w-0 flex-wrap items-baseline gap-x-8">
            <a
              href={url}
              target="_blank"
              rel="noreferrer nofollow"
              className="wrap-anywhere font-medium text-neutral-12 underline"
            >
              <bdi>{showHidden(title)}</bdi>
            </a>
            <span className="wrap-anywhere text-12">{host}</span>
          </span>
          {snippet && (
            <span className="wrap-anywhere text-12">
              <bdi>{showHidden(snippet)}</bdi>
            </span>
          )}
        </li>
      ))}
    </ol>
  )
