import { t } from '../../../../contract/text.ts'
import { renderSentence, type Sentence } from '../../../components/server-sentences.ts'

/** Why a sync failed or an item was skipped, as the server writes it. A service's own words stay as they are. */
const SENTENCES: Sentence[] = [
  [/^The site answers with status (\d+)$/, (status) => t`The site answers with status ${status}`],
  [/^The site has no sitemap at (.+)$/, (url) => t`The site has no sitemap at ${url}`],
  [/^The site’s sitemap is no sitemap$/, () => t`The site’s sitemap isn’t a sitemap`],
  [/^The site’s sitemap ends early$/, () => t`The site’s sitemap ends early`],
  [/^The site’s sitemap is too complex$/, () => t`The site’s sitemap is too complex`],
  [/^The sitemap can’t be unpacked/, () => t`The sitemap can’t be unpacked, or has more than 20 MB`],
  [/^The site’s robots\.txt excludes it$/, () => t`The site’s robots.txt excludes it`],
  [/^The repository has no folder (.+)$/, (path) => t`The repository has no folder ${path}`],
  [/^The repository has too many folders$/, () => t`The repository has too many folders`],
  [/^Confluence has no space (.+)$/, (key) => t`Confluence has no space ${key}`],
  [/^Dropbox has no such folder$/, () => t`Dropbox doesn’t have this folder`],
  [/^The link leads to no folder$/, () => t`The link doesn’t lead to a folder`],
  [/^The folder was deleted, or it is no folder$/, () => t`The folder was deleted, or isn’t a folder`],
  [/^(GitHub|The service) answered with something unexpected$/, () => t`The service’s answer was unexpected`],
  [/^The service no longer finds what this source syncs$/, () => t`The service can’t find it any more`],
  [/^The answer is too large$/, () => t`The service’s answer is too large`],
  [/^It has no connection$/, () => t`It has no connection`],
  [/^It has too many folders$/, () => t`It has too many folders`],
  [/^It is a shortcut$/, () => t`It’s a shortcut`],
  [/^It is larger than 100 MB$/, () => t`It’s larger than 100 MB`],
  [/^It redirects to another site$/, () => t`It redirects to another site`],
  [/^It redirects too often$/, () => t`It redirects too often`],
  [/^Microsoft has no file format for it$/, () => t`Microsoft has no file format for it`],
]

export const sourceSentence = (text: string): string => renderSentence(SENTENCES, text)
