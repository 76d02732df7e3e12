import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { SKILL_LIMITS } from '../../../../contract/knowledge/skill-options.ts'
import { LOCALE } from '../../../../contract/text.ts'
import { failureMessage } from '../../../api/explain.ts'
import { type Skill, skillFileQuery } from '../../../api/skills.ts'
import { Button } from '../../../components/button.tsx'
import { FormDialog } from '../../../components/dialogs/form-dialog.tsx'
import { UnsavedEdits } from '../../../components/dialogs/unsaved-edits.tsx'
import { Failure, FormFailure } from '../../../components/failure.tsx'
import { TextField } from '../../../components/forms/field.tsx'
import { withNames } from '../../../components/name.tsx'
import { SkeletonRows } from '../../../components/skeleton.tsx'
import { TextWithPreview } from './text-with-preview.tsx'
import { useSaveSkill } from './use-save-skill.ts'

interface FileEditorProps {
  skill: Skill
  file: Skill['files'][number]
  canEdit: boolean
  onOpen: (path: string | undefined) => void
}

export function FileEditor(props: FileEditorProps) {
  const { skill, file } = props
  const content = useQuery(skillFileQuery(skill.id, skill.version, file.path))
  if (content.error) return <Failure error={content.error} onRetry={() => content.refetch()} />
  if (!content.data) return <SkeletonRows rows={6} />
  return <FileForm {...props} text={content.data.text} />
}

function FileForm({ skill, file, canEdit, onOpen, text }: FileEditorProps & { text: string | null }) {
  const { path } = file
  const [draft, setDraft] = useState(text ?? '')
  const [isRenaming, setRenaming] = useState(false)
  const save = useSaveSkill(skill, ({ files }) => files?.[0]?.remove && onOpen(undefined))
  const isChanged = text !== null && draft !== text
  return (
    <form
      aria-label={path}
      className="flex max-w-reading flex-col gap-16 px-16 py-16 md:px-24"
      onSubmit={(event) => {
        event.preventDefault()
        if (!save.isPending) save.mutate({ files: [{ path, text: draft }] })
      }}
    >
      {text === null ? (
        <p className="text-neutral-11">
          {path} isn’t text ({file.size.toLocaleString(LOCALE)} bytes). Agents can’t read it, but exports
          include it.
        </p>
      ) : (
        <fieldset disabled={!canEdit} className="min-w-0">
          <TextWithPreview
            label={path}
            limit={SKILL_LIMITS.fileBytes}
            isMarkdown={path.endsWith('.md')}
            value={draft}
            onChange={setDraft}
          />
        </fieldset>
      )}
      <UnsavedEdits isChanged={isChanged && !save.isPending} />
      <FormFailure>{failureMessage(save.error)}</FormFailure>
      {canEdit && (
        <div className="flex flex-wrap gap-8">
          {text !== null && (
            <Button look="primary" type="submit" busy={save.isPending} disabled={!isChanged}>
              Save changes
            </Button>
          )}
          <Button onClick={() => setRenaming(true)}>Rename…</Button>
          <Button
            look="quiet"
            className="ml-auto"
            onClick={() => save.mutate({ files: [{ path, remove: true }] })}
          >
            Delete file
          </Button>
        </div>
      )}
      {isRenaming && (
        <RenameDialog skill={skill} path={path} onOpen={onOpen} onClose={() => setRenaming(false)} />
      )}
    </form>
  )
}

interface RenameProps {
  skill: Skill
  path: string
  onOpen: (path: string) => void
  onClose: () => void
}

function RenameDialog({ skill, path, onOpen, onClose }: RenameProps) {
  const [renameTo, setRenameTo] = useState(path)
  const save = useSaveSkill(skill, () => {
    onClose()
    onOpen(renameTo)
  })
  return (
    <FormDialog
      title={withNames`Rename ${path}`}
      action="Rename"
      failure={failureMessage(save.error)}
      busy={save.isPending}
      onSubmit={() => save.mutate({ files: [{ path, renameTo }] })}
      onClose={onClose}
    >
      <TextField
        label="Path"
        required
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        value={renameTo}
        onChange={(event) => setRenameTo(event.target.value)}
      />
    </FormDialog>
  )
}
