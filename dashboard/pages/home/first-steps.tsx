import { Link, type LinkProps } from '@tanstack/react-router'
import { Check, ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { t } from '../../../contract/text.ts'
import { api } from '../../api/client.ts'
import { useSession } from '../../api/session.ts'
import { Button } from '../../components/button.tsx'
import { toast, toastFailure } from '../../components/toast.tsx'
import { type Home, patchHome, refreshHome } from './home-query.ts'
import { CARD, HomeSection, ROW } from './section.tsx'

interface StepText {
  done: 'model' | 'asked' | 'invite' | 'connect' | 'schedule' | 'opened' | 'notifications'
  title: string
  note: string
  /** Absent for the question in the box above. */
  to?: LinkProps['to']
}

const ASK: StepText = {
  done: 'asked',
  title: t`Ask the Assistant`,
  note: t`Let it read the sample project and tell you the next step.`,
}

/** An owner's or admin's first steps end in an agent that works on its own. */
const ADMIN_STEPS: readonly StepText[] = [
  {
    done: 'model',
    title: t`Connect a model`,
    note: t`Agents think with it. You need an API key or a model server of your own.`,
    to: '/settings/organization/models/new',
  },
  ASK,
  {
    done: 'invite',
    title: t`Invite a colleague`,
    note: t`People and agents work on the same canvas.`,
    to: '/settings/organization/members/invite',
  },
  {
    done: 'connect',
    title: t`Connect an app`,
    note: t`Agents read and act in it, and ask you first when it matters.`,
    to: '/integrations',
  },
  {
    done: 'schedule',
    title: t`Put an agent on a schedule`,
    note: t`A report every Monday, for example.`,
    to: '/schedules',
  },
]

const MEMBER_STEPS: readonly StepText[] = [
  {
    done: 'opened',
    title: t`Open a project`,
    note: t`A canvas with files where people and agents work together.`,
    to: '/projects',
  },
  ASK,
  {
    done: 'notifications',
    title: t`Set your notifications`,
    note: t`Choose what reaches you at once, daily or not at all.`,
    to: '/settings/notifications',
  },
]

export function useFirstSteps({ firstSteps }: Home) {
  const steps = useSession().role === 'member' ? MEMBER_STEPS : ADMIN_STEPS
  const doneCount = steps.filter(({ done }) => firstSteps[done]).length
  return { steps, doneCount, isOpen: !firstSteps.hidden && doneCount < steps.length }
}

interface FirstStepsProps {
  home: Home
  /** Fills the box above with a question. */
  onAsk: () => void
  /** With a note for each step, before there is anything else to show. */
  isLarge: boolean
}

/** A step is done when the server has a record of it. */
export function FirstSteps({ home, onAsk, isLarge }: FirstStepsProps) {
  const { steps, doneCount, isOpen } = useFirstSteps(home)
  if (!isOpen) return null
  return (
    <HomeSection
      title={t`First steps`}
      note={
        <span className="text-12 text-neutral-11 tabular-nums">
          {doneCount} of {steps.length}
        </span>
      }
      end={
        <Button look="quiet" size="small" onClick={() => void hide(home)}>
          Hide
        </Button>
      }
    >
      <ol className={CARD}>
        {steps.map((step) => (
          <Step
            key={step.done}
            step={step}
            isDone={home.firstSteps[step.done]}
            isLarge={isLarge}
            onAsk={onAsk}
          />
        ))}
      </ol>
    </HomeSection>
  )
}

interface StepProps {
  step: StepText
  isDone: boolean
  isLarge: boolean
  onAsk: () => void
}

function Step({ step: { title, note, to }, isDone, isLarge, onAsk }: StepProps) {
  const text = (
    <Title isDone={isDone}>
      {title}
      {isLarge && !isDone && <span className="block font-regular text-12 text-neutral-11">{note}</span>}
    </Title>
  )
  const linkClass = 'row-link min-w-0 flex-1 text-left outline-none'
  return (
    <li className={`${ROW} flex items-center gap-12 px-16 ${isLarge ? 'py-12' : 'py-8'} text-13`}>
      {isDone ? (
        <span className="flex size-16 shrink-0 items-center justify-center rounded-round bg-good-wash text-good-text">
          <Check role="img" aria-label={t`Done`} className="size-12" />
        </span>
      ) : (
        <span aria-hidden className="size-16 shrink-0 rounded-round border border-neutral-8" />
      )}
      {to ? (
        <Link to={to} className={linkClass}>
          {text}
        </Link>
      ) : (
        <button type="button" onClick={onAsk} className={linkClass}>
          {text}
        </button>
      )}
      {!isDone && <ChevronRight aria-hidden className="icon shrink-0 text-neutral-10" />}
    </li>
  )
}

const Title = ({ isDone, children }: { isDone: boolean; children: ReactNode }) => (
  <span className={isDone ? 'text-neutral-11 line-through' : 'font-medium'}>{children}</span>
)

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
