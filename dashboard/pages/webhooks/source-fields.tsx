import { t } from '../../../contract/text.ts'
import { SCHEME_NAMES, type SchemeName } from '../../../contract/webhooks/signature-schemes.ts'
import { TextField } from '../../components/forms/field.tsx'
import { Select } from '../../components/forms/select.tsx'
import { capitalize } from '../../state/label-in-sentence.ts'
import { SOURCES, schemeLabel } from './webhook-labels.ts'

interface SourceFieldProps {
  source: string
  onChange: (source: string) => void
}

export const SourceField = ({ source, onChange }: SourceFieldProps) => (
  <Select label="Source" value={source} onChange={(event) => onChange(event.target.value)}>
    {!(source in SOURCES) && <option value={source}>{source}</option>}
    {Object.entries(SOURCES).map(([value, label]) => (
      <option key={value} value={value}>
        {label}
      </option>
    ))}
  </Select>
)

interface SchemeFieldProps {
  scheme: SchemeName
  onChange: (scheme: SchemeName) => void
}

/** Only for sources with an unknown scheme. */
export const SchemeField = ({ scheme, onChange }: SchemeFieldProps) => (
  <Select
    label="Required signature"
    hint={HINTS[scheme] ?? t`Requests with any other signature are rejected.`}
    value={scheme}
    onChange={(event) => onChange(asScheme(event.target.value))}
  >
    {SCHEME_NAMES.map((name) => (
      <option key={name} value={name}>
        {name === 'auto' ? t`Any scheme` : capitalize(schemeLabel(name).replace(/^(an?|the) /, ''))}
      </option>
    ))}
  </Select>
)

const HINTS: Partial<Record<SchemeName, string>> = {
  auto: t`Accepts one signature in any scheme. Select the sender’s scheme to reject all others.`,
  standard: t`Requires webhook-id, webhook-timestamp and webhook-signature. Old requests are rejected.`,
  generic: t`Requires the body’s HMAC-SHA256 in hex in the X-Webhook-Signature header.`,
  secret: t`Requires the secret in the X-Webhook-Secret header. For senders that can’t sign.`,
}

export const asScheme = (name: string | undefined): SchemeName =>
  SCHEME_NAMES.find((scheme) => scheme === name) ?? 'auto'

interface DedupFieldProps {
  seconds: number
  onChange: (seconds: number) => void
}

const DEDUP_WINDOWS = new Map([
  [0, t`Never`],
  [60, t`1 minute`],
  [600, t`10 minutes`],
  [3600, t`1 hour`],
  [86_400, t`1 day`],
  [604_800, t`7 days`],
])

/** Only for unknown sources: known ones never repeat a body on purpose. */
export const DedupField = ({ seconds, onChange }: DedupFieldProps) => (
  <Select
    label="Ignore repeated bodies for"
    hint="Requests with a signed event ID are always stored once within 7 days."
    value={seconds}
    onChange={(event) => onChange(Number(event.target.value))}
  >
    {!DEDUP_WINDOWS.has(seconds) && <option value={seconds}>{t`${seconds} seconds`}</option>}
    {[...DEDUP_WINDOWS].map(([value, label]) => (
      <option key={value} value={value}>
        {label}
      </option>
    ))}
  </Select>
)

interface SecretFieldProps {
  secret: string
  onChange: (secret: string) => void
}

export const SecretField = ({ secret, onChange }: SecretFieldProps) => (
  <TextField
    label="Signing secret (optional)"
    hint="Paste the other service’s secret, or leave empty to generate one."
    autoComplete="off"
    spellCheck={false}
    minLength={16}
    limit={256}
    value={secret}
    onChange={(event) => onChange(event.target.value)}
  />
)
