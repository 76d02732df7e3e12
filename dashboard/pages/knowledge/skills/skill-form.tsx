import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import { SKILL_LIMITS } from '../../../../contract/knowledge/skill-options.ts'
import { t } from '../../../../contract/text.ts'
import { textWithNames } from '../../../../contract/text-with-names.ts'
import { failureMessage, fieldMessage } from '../../../api/explain.ts'
import type { Skill } from '../../../api/skills.ts'
import { Button } from '../../../components/button.tsx'
import { UnsavedEdits } from '../../../components/dialogs/unsaved-edits.tsx'
import { FormFailure } from '../../../components/failure.tsx'
import { TextArea, TextField } from '../../../components/forms/field.tsx'
import { TextWithPreview } from './text-with-preview.tsx'
import { useSaveSkill } from './use-save-skill.ts'

export function SkillForm({ skill, canEdit }: { skill: Skill; canEdit: boolean }) {
  const [draft, setDraft] = useState(() => draftOf(skill))
  const save = useSaveSkill(skill)
  const isChanged = JSON.stringify(draft) !== JSON.stringify(draftOf(skill))
  const errorOf = (field: string) => fieldMessage(save.error, field)
  return (
    <form
      aria-label="Skill"
      className="flex max-w-reading flex-col gap-16 px-16 py-16 md:px-24"
      onSubmit={(event) => {
        event.preventDefault()
        if (!save.isPending) save.mutate(changeOf(draft))
      }}
    >
      <fieldset disabled={!canEdit} className="flex min-w-0 flex-col gap-16">
        <TextField
          label="Name"
          required
          autoComplete="off"
          limit={SKILL_LIMITS.name}
          value={draft.name}
          error={errorOf('name')}
          onChange={(event) => setDraft({ ...draft, name: event.target.value })}
        />
        <TextArea
          label="Description"
          hint="What the skill does and when to use it. Agents use this to choose skills."
          required
          rows={3}
          limit={SKILL_LIMITS.description}
          value={draft.description}
          error={errorOf('description')}
          onChange={(event) => setDraft({ ...draft, description: event.target.value })}
        />
        <TextWithPreview
          label="Instructions"
          limit={SKILL_LIMITS.instructions}
          isMarkdown
          value={draft.instructions}
          error={errorOf('instructions')}
          onChange={(text) => setDraft({ ...draft, instructions: text })}
        />
        <SkillDetails
          draft={draft}
          errorOf={errorOf}
          onChange={(change) => setDraft({ ...draft, ...change })}
        />
      </fieldset>
      <UnsavedEdits isChanged={isChanged && !save.isPending} />
      <FormFailure>{failureMessage(save.error)}</FormFailure>
      {canEdit && (
        <div>
          <Button look="primary" type="submit" busy={save.isPending} disabled={!isChanged}>
            Save changes
          </Button>
        </div>
      )}
    </form>
  )
}

interface SkillDetailsProps {
  draft: SkillDraft
  onChange: (change: Partial<SkillDraft>) => void
  errorOf: (field: string) => string | undefined
}

/** Most skills have none of these. */
function SkillDetails({ draft, onChange, errorOf }: SkillDetailsProps) {
  const { license, compatibility, allowedTools, metadata } = draft
  return (
    <details open={license + compatibility + allowedTools !== '' || metadata.length > 0 || undefined}>
      <summary className="w-fit cursor-pointer text-13 font-medium">
        License, compatibility, tools and metadata
      </summary>
      <div className="flex min-w-0 flex-col gap-16 pt-16">
        <TextField
          label="License"
          hint="Its name, or a file in the skill such as LICENSE.txt."
          limit={SKILL_LIMITS.license}
          value={license}
          error={errorOf('license')}
          onChange={(event) => onChange({ license: event.target.value })}
        />
        <TextField
          label="Compatibility"
          hint="What the skill needs, such as a program or network access."
          limit={SKILL_LIMITS.compatibility}
          value={compatibility}
          error={errorOf('compatibility')}
          onChange={(event) => onChange({ compatibility: event.target.value })}
        />
        <TextField
          label="Allowed tools"
          hint="Other products read this as allowed-tools. In Atrium, the agent’s settings apply."
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
              label={t`Name ${index + 1}`}
              limit={SKILL_LIMITS.metadataText}
              value={row.name}
              onChange={(event) => change(index, { name: event.target.value })}
            />
          </div>
          <div className="min-w-0 flex-2">
            <TextField
              label={t`Text ${index + 1}`}
              limit={SKILL_LIMITS.metadataText}
              value={row.text}
              onChange={(event) => change(index, { text: event.target.value })}
            />
          </div>
          <Button
            look="quiet"
            size="icon"
            aria-label={textWithNames`Remove ${row.name || t`row ${index + 1}`}`}
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

/** Metadata is held as rows, so a name can be typed. */
interface SkillDraft {
  name: string
  description: string
  license: string
  compatibility: string
  allowedTools: string
  metadata: { name: string; text: string }[]
  instructions: string
}

const draftOf = (skill: Skill): SkillDraft => ({
  name: skill.name,
  description: skill.description,
  license: skill.license ?? '',
  compatibility: skill.compatibility ?? '',
  allowedTools: skill.allowedTools ?? '',
  metadata: Object.entries(skill.metadata).map(([name, text]) => ({ name, text })),
  instructions: skill.instructions,
})

/** Empty texts become null and empty rows are dropped. If two rows share a name, the last wins. */
const changeOf = ({ license, compatibility, allowedTools, metadata, ...draft }: SkillDraft) => ({
  ...draft,
  license: license.trim() || null,
  compatibility: compatibility.trim() || null,
  allowedTools: allowedTools.trim() || null,
  metadata: Object.fromEntries(
    metadata.filter(({ name, text }) => name !== '' || text !== '').map(({ name, text }) => [name, text]),
  ),
})
