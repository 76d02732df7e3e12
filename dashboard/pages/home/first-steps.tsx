import { Link } from '@tanstack/react-router'
import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { t } from '../../../contract/text.ts'
import { api } from '../../api/client.ts'
import { useCanCreateProjects } from '../../api/workspaces.ts'
import { Button, buttonClass } from '../../components/button.tsx'
import { Code } from '../../components/code.tsx'
import { KEY_HINT } from '../../components/kbd.tsx'
import { toast, toastFailure } from '../../components/toast.tsx'
import { openOverlay } from '../../state/overlay.ts'
import { exampleRequest } from '../accounts/api-keys/example-request.ts'
import { type Home, patchHome, refreshHome } from './home-query.ts'

/** A step is done when the server has a record of it by this user. */
export function FirstSteps({ home }: { home: Home }) {
  const { hidden: _, ...done } = home.firstSteps
  const canCreateProjects = useCanCreateProjects()
  const isTourOffered = !home.tour.ended && home.projects.length === 0
  const count = Object.values(done).filter(Boolean).length
  return (
    <section aria-labelledby="first-steps">
      <div className="flex items-baseline gap-8 border-neutral-6 border-b pb-8">
        <h2 id="first-steps" className="font-strong">
          First steps
        </h2>
        <span className="text-12 text-neutral-11">
          {count} of {Object.keys(done).length} done
        </span>
        <Button look="quiet" size="small" className="ml-auto" onClick={() => void hide(home)}>
          Hide
        </Button>
      </div>
      <ol>
        <Step
          number={1}
          done={done.project}
          title="Create a project"
          action={
            canCreateProjects && (
              <Link to="/projects/new" className={buttonClass(isTourOffered ? 'plain' : 'primary')}>
                New project
              </Link>
            )
          }
        >
          A canvas with files and instructions where people and agents work together.
          {!canCreateProjects && t` Only workspace editors can create projects. You have view-only access.`}
        </Step>
        <Step
          number={2}
          done={done.chat}
          title="Chat with an agent"
          action={
            canCreateProjects && (
              <Link to="/chat/new" className={buttonClass(done.project ? 'primary' : 'plain')}>
                New chat
              </Link>
            )
          }
        >
          Agents work on a project’s canvas and files. No model provider yet? Try the examples in a new chat.
        </Step>
        <Step
          number={3}
          done={done.key}
          title="Create an API key"
          action={
            <Link
              to="/settings/api-keys/new"
              className={buttonClass(done.project && done.chat ? 'primary' : 'plain')}
            >
              New key
            </Link>
          }
        >
          Scripts and agents use it to call the API on your behalf.
        </Step>
        <Step
          number={4}
          done={done.call}
          title="Make your first API request"
          details={
            <Code command what="example request">
              {exampleRequest('$ATRIUM_API_KEY')}
            </Code>
          }
        >
          Replace <code className="font-mono text-12">$ATRIUM_API_KEY</code> with your key. This step
          completes within a minute after the request.
        </Step>
        <Step
          number={5}
          done={done.feedback}
          title="Send feedback"
          action={<Button onClick={() => openOverlay('send-feedback')}>Send feedback</Button>}
        >
          Report problems and ideas to your operators from any page
          <span className={KEY_HINT}> by pressing F</span>.
        </Step>
      </ol>
    </section>
  )
}

async function hide({ firstSteps }: Home) {
  const set = (hidden: boolean) => {
    patchHome(() => ({ firstSteps: { ...firstSteps, hidden } }))
    return api.home.update({ hidesFirstSteps: hidden })
  }
  try {
    await set(true)
    toast(t`First steps hidden`, { label: t`Undo`, run: () => void set(false).catch(toastFailure) })
  } catch (error) {
    toastFailure(error)
    void refreshHome()
  }
}

interface StepProps {
  number: number
  done: boolean
  title: string
  action?: ReactNode
  details?: ReactNode
  children: ReactNode
}

function Step({ number, done, title, action, details, children }: StepProps) {
  return (
    <li className="flex gap-12 border-neutral-6 border-b py-16">
      <span
        className={`flex size-24 shrink-0 items-center justify-center rounded-round text-12 tabular-nums ${done ? 'bg-good-wash text-good-text' : 'bg-neutral-4 text-neutral-11'}`}
      >
        {done ? <Check role="img" aria-label="Done" className="icon" /> : number}
      </span>
      <div className="min-w-0 flex-1">
        <div className="flex items-start gap-12">
          <div className="min-w-0 flex-1">
            <h3 className={done ? 'text-neutral-11' : 'font-medium'}>{title}</h3>
            {!done && <p className="text-13 text-neutral-11">{children}</p>}
          </div>
          {!done && action}
        </div>
        {!done && details && <div className="mt-12">{details}</div>}
      </div>
    </li>
  )
}
