import type { ReactNode } from 'react'
import { t } from '../../../contract/text.ts'
import { Button } from '../button.tsx'
import { Copy } from '../copy.tsx'
import { Dialog, DialogFooter } from './dialog.tsx'

interface SecretDialogProps {
  title: ReactNode
  what: string
  value: string
  about: ReactNode
  size?: 'normal' | 'wide'
  onClose: () => void
  children?: ReactNode
}

/** For a secret the server returns only once. Escape and outside clicks don't close it. */
export function SecretDialog({ title, what, value, about, size, onClose, children }: SecretDialogProps) {
  return (
    <Dialog size={size} title={title} onClose={onClose} locked>
      <div className="flex flex-col gap-16">
        <p className="text-neutral-11">{about}</p>
        <div className="flex items-center gap-8 rounded-control border border-warning-line bg-warning-wash p-8">
          <output aria-label={t`New ${what}`} className="min-w-0 flex-1 break-all font-mono text-13">
            {value}
          </output>
          <Copy value={value} what={what} withLabel look="plain" />
        </div>
        {children}
        <DialogFooter>
          <Button look="primary" data-autofocus onClick={onClose}>
            Done
          </Button>
        </DialogFooter>
      </div>
    </Dialog>
  )
}
