import { type SchemeName, schemeOfSource } from '../../../contract/webhooks/signature-schemes.ts'
import { badField } from '../../errors.ts'

/** The scheme of a webhook: that of a known source, which cannot be changed; otherwise the requested one. */
export function schemeFor(
  source: string,
  requested: SchemeName | undefined,
  fallback: SchemeName,
): SchemeName {
  const sourceScheme = schemeOfSource(source)
  if (sourceScheme === null) return requested ?? fallback
  if (requested !== undefined && requested !== sourceScheme) {
    throw badField('body.scheme', `must be ${sourceScheme} for the source ${source}`)
  }
  return sourceScheme
}

interface Settings {
  source: string
  scheme: SchemeName
}

/**
 * The scheme after a change. A new source determines the scheme. If the source stays, a webhook that is older than the
 * scheme of its source keeps its scheme.
 */
export function schemeAfter(before: Settings, change: Partial<Settings>): SchemeName {
  const source = change.source ?? before.source
  const isSameSource = source.toLowerCase() === before.source.toLowerCase()
  if (isSameSource && (change.scheme ?? before.scheme) === before.scheme) return before.scheme
  const isSchemeOfSource = schemeOfSource(before.source) === before.scheme
  return schemeFor(source, change.scheme, isSchemeOfSource ? 'auto' : before.scheme)
}
