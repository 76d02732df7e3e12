import { t } from '../../../../contract/text.ts'
import { thumbnailUrl } from '../../../components/conversation/view/attachments.ts'

export interface RunImage {
  fileId: string
  version: number
  page?: number | undefined
  name?: string
}

/** As a model saw them, small. */
export function RunImages({ images }: { images: readonly RunImage[] }) {
  if (images.length === 0) return null
  return (
    <ul aria-label="Images" className="flex flex-wrap gap-8">
      {images.map(({ fileId, version, page, name = t`Image` }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the images of a run never change.
        <li key={index}>
          <a href={`/files?view=${fileId}`} title={name}>
            <img
              src={thumbnailUrl({ fileId, version, page }, 320)}
              alt={name}
              loading="lazy"
              className="max-h-nested-max max-w-full rounded-control border border-neutral-6 bg-inset object-contain"
            />
          </a>
        </li>
      ))}
    </ul>
  )
}
