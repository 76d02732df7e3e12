import type { SourceKind } from '../../../../../contract/knowledge/source-options.ts'
import { confluence } from './confluence.ts'
import { dropbox } from './dropbox.ts'
import { github } from './github.ts'
import { googleDrive } from './google-drive.ts'
import { notion } from './notion.ts'
import type { Provider } from './provider.ts'
import { sharepoint } from './sharepoint.ts'
import { website } from './website.ts'

export const PROVIDERS: Readonly<Record<SourceKind, Provider>> = {
  confluence,
  dropbox,
  github,
  google_drive: googleDrive,
  notion,
  sharepoint,
  website,
}
