import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { t } from '../../contract/text.ts'
import { projectRef } from '../api/projects.ts'
import { Button } from './button.tsx'
import { toastFailure } from './toast.tsx'

export function SampleButton({ children }: { children?: string }) {
  const navigate = useNavigate()
  const create = useMutation({
    mutationFn: async () => (await import('../tour/start-tour.ts')).createSample(),
    onSuccess: (project) => navigate({ to: '/projects/$ref', params: { ref: projectRef(project) } }),
    onError: toastFailure,
  })
  return (
    <Button busy={create.isPending} onClick={() => create.mutate()}>
      {children ?? t`Create sample project`}
    </Button>
  )
}
