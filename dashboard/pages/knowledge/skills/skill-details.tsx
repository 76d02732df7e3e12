import { Plus, X } from 'lucide-react'
import { SKILL_LIMITS } from '../../../../contract/knowledge/skill-options.ts'
import { textWithNames } from '../../../../contract/text-with-names.ts'
import { Button } from '../../../components/button.tsx'
import { TextField } from '../../../components/forms/field.tsx'
import type { SkillDraft } from './skill-draft.ts'

interface SkillDetailsProps {
  draft: SkillDraft
  onChange: (change: Partial<SkillDraft>) => void
  errorOf: (field: string) => string | undefined
}

/** The other fields of the front matter. Most skills have none of them. */
export function SkillDetails({ draft, onChange, errorOf }: SkillDetailsProps) {
  const { license, compatibility, allowedTools, metadata } = draft
  return (
    <details open={license + compatibility + allowedTools !== '' || metadata.length > 0 || undefined}>
      <summary className="w-fit cursor-pointer text-13 font-medium">
        License, compatibility, tools and metadata
      </summary>
      <div className="flex min-w-0 flex-col gap-16 pt-16">
        <TextField
          label="License"
          hint="Its name, or a file of the skill such as LICENSE.txt."
          limit={SKILL_LIMITS.license}
          value={license}
          error={errorOf('license')}
          onChange={(event) => onChange({ license: event.target.value })}
        />
        <TextField
          label="Compatibility"
          hint="Requirements of the skill, such as a program or access to a network."
          limit={SKILL_LIMITS.compatibility}
          value={compatibility}
          error={errorOf('compatibility')}
          onChange={(event) => onChange({ compatibility: event.target.value })}
        />
        <TextField
          label="Allowed tools"
          hint="Read by other products as allowed-tools. In Atrium, the settings of the agent apply."
          limit={SKILL_LIMITS.allowedTools}
          value={allowedTools}
          error={errorOf('allowedTools')}
          onChange={(event) => onChange({ allowedTools: event.target.value })}
        />
        <Metadata
          rows={metadata}
          error={errorOf('metadata')}
          onChange={(rows) => onChange({ metadata: rows })}
        />
      </div>
    </details>
  )
}

interface MetadataProps {
  rows: SkillDraft['metadata']
  error: string | undefined
  onChange: (rows: SkillDraft['metadata']) => void
}

function Metadata({ rows, error, onChange }: MetadataProps) {
  const change = (index: number, part: Partial<SkillDraft['metadata'][number]>) =>
    onChange(rows.map((row, at) => (at === index ? { ...row, ...part } : row)))
  return (
    <fieldset className="flex min-w-0 flex-col gap-8">
      <legend className="pb-4 text-13 font-medium">Metadata</legend>
      {rows.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the name of a row changes while it is typed.
        <div key={index} className="flex items-end gap-8">
          <div className="min-w-0 flex-1">
            <TextField
              label={`Name ${index + 1}`}
              limit={SKILL_LIMITS.metadataText}
              value={row.name}
              onChange={(event) => change(index, { name: event.target.value })}
            />
          </div>
          <div className="min-w-0 flex-2">
            <TextField
              label={`Text ${index + 1}`}
              limit={SKILL_LIMITS.metadataText}
              value={row.text}
              onChange={(event) => change(index, { text: event.target.value })}
            />
          </div>
          <Button
            look="quiet"
            size="icon"
            aria-label={textWithNames`Remove ${row.name || `row ${index + 1}`}`}
            onClick={() => onChange(rows.filter((_, at) => at !== index))}
          >
            <X aria-hidden className="icon" />
          </Button>
        </div>
      ))}
      {error && <p className="text-12 text-bad-text">{error}</p>}
      {rows.length < SKILL_LIMITS.metadata && (
        <div>
          <Button size="small" onClick={() => onChange([...rows, { name: '', text: '' }])}>
            <Plus aria-hidden className="icon" /> Add metadata
          </Button>
        </div>
      )}
    </fieldset>
  )
}
