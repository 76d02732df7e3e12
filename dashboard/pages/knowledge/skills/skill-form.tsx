import { useState } from 'react'
import { SKILL_LIMITS } from '../../../../contract/knowledge/skill-options.ts'
import { failureMessage, fieldMessage } from '../../../api/explain.ts'
import type { Skill } from '../../../api/skills.ts'
import { Button } from '../../../components/button.tsx'
import { UnsavedEdits } from '../../../components/dialogs/unsaved-edits.tsx'
import { FormFailure } from '../../../components/failure.tsx'
import { TextArea, TextField } from '../../../components/forms/field.tsx'
import { SkillDetails } from './skill-details.tsx'
import { changeOf, draftOf } from './skill-draft.ts'
import { TextWithPreview } from './text-with-preview.tsx'
import { useSaveSkill } from './use-save-skill.ts'

/** The front matter and the instructions. */
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
          hint="The purpose of the skill, and when to use it. Agents use it to choose skills."
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
