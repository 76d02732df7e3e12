import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Button } from '../button.tsx'
import { FormFailure } from '../failure.tsx'
import { withNames } from '../name.tsx'
import { toast } from '../toast.tsx'
import { Dialog, DialogFooter } from './dialog.tsx'
import { useDiscardQuestion } from './use-discard-question.tsx'

interface FormDialogProps {
  title: ReactNode
  size?: 'small' | 'normal'
  action: string
  isDangerous?: boolean
  lead?: ReactNode
  failure?: string
  busy: boolean
  onSubmit: () => void
  onClose: () => void
  children?: ReactNode
}

export function FormDialog(props: FormDialogProps) {
  const {
    title,
    size = 'small',
    action,
    isDangerous,
    lead,
    failure,
    busy,
    onSubmit,
    onClose,
    children,
  } = props
  const { form, close, question } = useDiscardQuestion(onClose, busy)
  return (
    <>
      <Dialog size={size} title={title} onClose={close}>
        <form
          {...form}
          className="flex flex-col gap-16"
          onSubmit={(event) => {
            event.preventDefault()
            if (!busy) onSubmit()
          }}
        >
          {lead && <p className="text-neutral-11">{lead}</p>}
          <FormFailure>{failure}</FormFailure>
          {children}
          <DialogFooter>
            <Button look="quiet" onClick={close}>
              Cancel
            </Button>
            <Button look={isDangerous ? 'danger' : 'primary'} type="submit" busy={busy}>
              {action}
            </Button>
          </DialogFooter>
        </form>
      </Dialog>
      {question}
    </>
  )
}

interface SaveRecord {
  isNew: boolean
  save: () => Promise<{ name: string }>
  refresh: () => Promise<unknown>
  onClose: () => void
}

export const useSaveRecord = ({ isNew, save, refresh, onClose }: SaveRecord) =>
  useMutation({
    mutationFn: save,
    onSuccess: async ({ name }) => {
      await refresh()
      toast(isNew ? withNames`Created ${name}` : withNames`Saved ${name}`)
      onClose()
    },
  })
