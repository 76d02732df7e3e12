import { useMutation } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { t } from '../../../contract/text.ts'
import { useCanCreateProjects } from '../../api/workspaces.ts'
import { Button } from '../../components/button.tsx'
import { SampleButton } from '../../components/sample-button.tsx'
import { toastFailure } from '../../components/toast.tsx'
import { type Home, patchHome } from './home-query.ts'

/** Also resumes an unfinished tour. */
export function TourCard({ home: { tour, projects } }: { home: Home }) {
  const { history } = useRouter()
  const canCreate = useCanCreateProjects()
  const start = useMutation({
    mutationFn: async () => (await import('../../tour/start-tour.ts')).startTour(tour.step),
    onSuccess: (path) => history.push(path),
    onError: toastFailure,
  })
  const end = () => {
    patchHome(() => ({ tour: { step: null, ended: true } }))
    void import('../../tour/start-tour.ts').then(({ rememberStep }) => rememberStep('ended'))
  }
  const isStarted = tour.step !== null
  if (tour.ended || !canCreate || (!isStarted && projects.length > 0)) return null
  return (
    <section
      aria-labelledby="welcome"
      className="flex flex-col gap-16 rounded-panel border border-accent-line bg-accent-wash p-16 sm:flex-row sm:items-center"
    >
      <div className="min-w-0 flex-1">
        <h2 id="welcome" className="font-strong">
          {isStarted ? t`Continue the guided tour` : t`Watch an agent at work`}
        </h2>
        <p className="text-13 text-neutral-11">
          {isStarted
            ? t`Pick up where you left off, in the sample project.`
            : t`Two minutes in a sample project of your own. It needs no model and costs nothing.`}
        </p>
      </div>
      <div className="flex flex-wrap gap-8">
        <Button look="primary" busy={start.isPending} onClick={() => start.mutate()}>
          {isStarted ? t`Continue` : t`Take the tour`}
        </Button>
        {!isStarted && <SampleButton />}
        <Button look="quiet" onClick={end}>
          {isStarted ? t`End the tour` : t`No, thanks`}
        </Button>
      </div>
    </section>
  )
}
