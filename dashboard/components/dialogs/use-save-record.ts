import { useMutation } from '@tanstack/react-query'
import { withNames } from '../name.tsx'
import { toast } from '../toast.tsx'

interface SaveRecord {
  isNew: boolean
  save: () => Promise<{ name: string }>
  /** Refetches the lists that contain the record. */
  refresh: () => Promise<unknown>
  onClose: () => void
}

/** Saves the record of a dialog, reports it and closes the dialog. */
export const useSaveRecord = ({ isNew, save, refresh, onClose }: SaveRecord) =>
  useMutation({
    mutationFn: save,
    onSuccess: async ({ name }) => {
      await refresh()
      toast(isNew ? withNames`Created ${name}` : withNames`Saved ${name}`)
      onClose()
    },
  })
