import { useState } from 'react'
import { problemOfPath } from '../../../../contract/knowledge/skill-path.ts'
import { t } from '../../../../contract/text.ts'
import { failureMessage } from '../../../api/explain.ts'
import type { Skill } from '../../../api/skills.ts'
import { Button } from '../../../components/button.tsx'
import { FormDialog } from '../../../components/dialogs/form-dialog.tsx'
import { TextField } from '../../../components/forms/field.tsx'
import { useSaveSkill } from './use-save-skill.ts'

interface SkillFilesProps {
  skill: Skill
  openPath: string | undefined
  canEdit: boolean
  /** Undefined opens the instructions. */
  onOpen: (path: string | undefined) => void
}

export function SkillFiles({ skill, openPath, canEdit, onOpen }: SkillFilesProps) {
  const [isAdding, setAdding] = useState(false)
  return (
    <div className="flex flex-wrap items-center gap-4 border-neutral-6 border-b px-16 py-8 md:px-24">
      <ul aria-label="Files" className="flex min-w-0 flex-wrap gap-4">
        {[undefined, ...skill.files.map(({ path }) => path)].map((path) => (
          <li key={path ?? ''} className="min-w-0 max-w-full">
            <Button
              size="small"
              look="quiet"
              aria-pressed={path === openPath}
              className={path === openPath ? 'bg-neutral-4' : ''}
              onClick={() => onOpen(path)}
            >
              <span className="truncate font-mono text-12">{path ?? 'SKILL.md'}</span>
            </Button>
          </li>
        ))}
      </ul>
      {canEdit && (
        <Button size="small" onClick={() => setAdding(true)}>
          Add file
        </Button>
      )}
      {isAdding && <AddFileDialog skill={skill} onOpen={onOpen} onClose={() => setAdding(false)} />}
    </div>
  )
}

interface AddFileProps {
  skill: Skill
  onOpen: (path: string) => void
  onClose: () => void
}

function AddFileDialog({ skill, onOpen, onClose }: AddFileProps) {
  const [path, setPath] = useState('references/')
  const save = useSaveSkill(skill, () => {
    onClose()
    onOpen(path)
  })
  const isTaken = skill.files.some((file) => file.path === path)
  const problem = isTaken ? t`is already used by another file` : problemOfPath(path)
  return (
    <FormDialog
      title="Add file"
      action="Add file"
      failure={failureMessage(save.error)}
      busy={save.isPending}
      onSubmit={() => !problem && save.mutate({ files: [{ path, text: '' }] })}
      onClose={onClose}
    >
      <TextField
        label="Path"
        required
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        hint="In the skill’s folder, such as references/style.md."
        value={path}
        isLive
        error={problem && path !== 'references/' ? t`The path ${problem}` : undefined}
        onChange={(event) => setPath(event.target.value)}
      />
    </FormDialog>
  )
}
