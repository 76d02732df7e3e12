import { checksummedText } from '../../../../contract/projects/project-export.ts'
import { sha256 } from '../../../security/digest.ts'
import type { Manifest } from './manifest.ts'

/** Imports no other feature, because the thread that checks manifests would load all of them. */
export const checksumOf = (manifest: Partial<Manifest>): string =>
  sha256(checksummedText(manifest)).toString('hex')
