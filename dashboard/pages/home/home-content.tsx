import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { t } from '../../../contract/text.ts'
import { api } from '../../api/client.ts'
import { useCanCreateProjects } from '../../api/workspaces.ts'
import { toastFailure } from '../../components/toast.tsx'
import { AskBox, type Question } from './ask-box.tsx'
import { DeveloperCard } from './developer-card.tsx'
import { FirstSteps, useFirstSteps } from './first-steps.tsx'
import type { Home } from './home-query.ts'
import { Installation } from './installation.tsx'
import { LiveList } from './live-list.tsx'
import { NewsList } from './news-list.tsx'
import { ProjectCards } from './project-cards.tsx'
import { SpendCard } from './spend-card.tsx'
import { TourCard } from './tour-card.tsx'
import { WaitingList } from './waiting-list.tsx'

/** Two columns where they fit, below the box. */
export function HomeContent({ home }: { home: Home }) {
  const [question, setQuestion] = useState<Question>({ text: '' })
  const input = useRef<HTMLTextAreaElement>(null)
  const canCreate = useCanCreateProjects()
  const ask = useMutation({
    mutationFn: async () => (canCreate ? findOrCreateSample() : undefined),
    onSuccess: (projectId) => {
      setQuestion({
        text: t`Read the project and tell me the next step.`,
        ...(projectId !== undefined && { projectId }),
      })
      input.current?.focus()
    },
    onError: toastFailure,
  })
  const { isOpen } = useFirstSteps(home)
  // In the wide column until there is something else for it.
  const isLarge = isOpen && home.live.length + home.news.length === 0
  const steps = <FirstSteps home={home} isLarge={isLarge} onAsk={() => ask.mutate()} />
  return (
    <>
      <AskBox question={question} onChange={setQuestion} input={input} />
      <div className="grid grid-cols-1 items-start gap-x-[40px] gap-y-24 @wide:grid-cols-[minmax(0,1fr)_320px]">
        <div className="flex min-w-0 flex-col gap-24">
          <TourCard home={home} />
          {(!isLarge || home.attention.length > 0) && <WaitingList home={home} />}
          <LiveList live={home.live} />
          <NewsList home={home} />
          {isLarge && steps}
        </div>
        <div className="flex min-w-0 flex-col gap-24">
          <ProjectCards projects={home.projects} />
          <SpendCard month={home.month} />
          {!isLarge && steps}
          <DeveloperCard home={home} />
          {home.health && <Installation health={home.health} />}
        </div>
      </div>
    </>
  )
}

async function findOrCreateSample(): Promise<string> {
  const { items } = await api.projects.list({ tag: 'sample', visibility: 'private', limit: 1 })
  if (items[0]) return items[0].id
  return (await (await import('../../tour/start-tour.ts')).createSample()).id
}
