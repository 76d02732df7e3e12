import { AudioLines } from 'lucide-react'
import { type ComponentProps, lazy, Suspense, useState } from 'react'
import { Button } from '../../../components/button.tsx'

const BrowserCallDialog = lazy(() => import('./browser-call-dialog.tsx'))

interface TalkButtonProps {
  /** Absent to choose one. */
  agent?: { id: string; name: string }
  look?: ComponentProps<typeof Button>['look']
}

/** The dialog explains what is missing. */
export function TalkButton({ agent, look = 'plain' }: TalkButtonProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button look={look} title="Talk in the browser" onClick={() => setOpen(true)}>
        <AudioLines aria-hidden className="icon" />
        <span className="max-lg:sr-only">Talk in the browser</span>
      </Button>
      {isOpen && (
        <Suspense>
          <BrowserCallDialog {...(agent && { agent })} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
