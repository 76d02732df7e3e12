import { useMutation } from '@tanstack/react-query'
import { Pencil } from 'lucide-react'
import { useRef, useState } from 'react'
import { t } from '../../../contract/text.ts'
import { textWithNames } from '../../../contract/text-with-names.ts'
import { Button } from '../button.tsx'
import { Name, withNames } from '../name.tsx'
import { toast, toastFailure } from '../toast.tsx'

interface RenameProps {
  name: string
  maxLength: number
  onRename: (name: string) => Promise<unknown>
}

export function Rename({ name, maxLength, onRename }: RenameProps) {
  const [draft, setDraft] = useState<string>()
  const editButton = useRef<HTMLButtonElement>(null)
  const rename = useMutation({
    mutationFn: onRename,
    onSuccess: (_, next) => {
      toast(
        withNames`Renamed to ${next}`,
        next === name ? undefined : { label: t`Undo`, run: () => rename.mutate(name) },
      )
    },
    onError: (error) => {
      toastFailure(error)
    },
  })
  const stopEditing = () => {
    setDraft(undefined)
    requestAnimationFrame(() => editButton.current?.focus())
  }
  const save = () => {
    const next = draft?.trim()
    if (next && next !== name) rename.mutate(next)
    stopEditing()
  }
  if (draft === undefined) {
    return (
      <span className="flex min-w-0 items-center gap-4">
        <span className="truncate font-medium">
          <Name>{rename.isPending ? rename.variables : name}</Name>
        </span>
        <Button
          ref={editButton}
          look="quiet"
          size="small-icon"
          aria-label={textWithNames`Rename ${name}`}
          title={textWithNames`Rename ${name}`}
          onClick={() => setDraft(name)}
        >
          <Pencil aria-hidden className="icon" />
        </Button>
      </span>
    )
  }
  return (
    <input
      ref={(input) => {
        if (input && document.activeElement !== input) input.select()
      }}
      aria-label={textWithNames`New name for ${name}`}
      maxLength={maxLength}
      autoComplete="off"
      value={draft}
      onChange={(event) => setDraft(event.target.value)}
      onBlur={() => setDraft(undefined)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') save()
        else if (event.key === 'Escape') stopEditing()
        else return
        event.preventDefault()
        event.stopPropagation()
      }}
      className="h-24 w-full min-w-0 rounded-control border border-selection bg-card px-4 font-medium text-13 outline-none max-sm:text-16"
    />
  )
}
