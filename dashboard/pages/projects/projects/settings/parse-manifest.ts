import type { RequestOf } from '../../../../../contract/endpoint.ts'
import type { Contract } from '../../../../../contract/index.ts'

type RestoreRequest = RequestOf<Contract['projectExport']['restore']>
export type Manifest = Omit<RestoreRequest, 'projectId' | 'dryRun' | 'mode' | 'planHash'>

type ParseResult = { manifest: Manifest; error?: undefined } | { manifest?: undefined; error: string }

/** Checks only the format; the server validates the rest, including the checksum. */
export function parseManifest(text: string): ParseResult {
  try {
    const value: unknown = JSON.parse(text)
    if (
      typeof value === 'object' &&
      value !== null &&
      'format' in value &&
      value.format === 'atrium/project'
    ) {
      return { manifest: value as Manifest }
    }
    return { error: 'Not a project manifest. Select a file exported from a project.' }
  } catch {
    return { error: 'Not a JSON file. Select a manifest exported from a project.' }
  }
}
