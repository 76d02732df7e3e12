import { Download } from 'lucide-react'
import type { CallDetails } from '../../../api/telephony/calls.ts'
import { buttonClass } from '../../../components/button.tsx'

const urlOf = (id: string) => `/api/v1/files/${id}?download=true`

/** The recording to listen to, and the files of the call. */
export function CallRecording({ call: { recordingFileId, transcriptFileId } }: { call: CallDetails }) {
  if (!recordingFileId && !transcriptFileId) return null
  return (
    <section
      aria-label="Recording"
      className="flex flex-wrap items-center gap-x-16 gap-y-8 border-neutral-6 border-b px-16 py-12 md:px-24"
    >
      {recordingFileId && (
        // biome-ignore lint/a11y/useMediaCaption: the transcript of the call is below it
        <audio
          controls
          preload="metadata"
          aria-label="Recording of the call"
          src={`${urlOf(recordingFileId)}&inline=true`}
          className="h-row min-w-0 flex-1 basis-filter"
        />
      )}
      <span className="flex gap-8">
        {recordingFileId && <DownloadLink id={recordingFileId}>Recording</DownloadLink>}
        {transcriptFileId && <DownloadLink id={transcriptFileId}>Transcript</DownloadLink>}
      </span>
    </section>
  )
}

const DownloadLink = ({ id, children }: { id: string; children: string }) => (
  <a href={urlOf(id)} download className={buttonClass('plain', 'small')}>
    <Download aria-hidden className="icon" />
    {children}
  </a>
)
