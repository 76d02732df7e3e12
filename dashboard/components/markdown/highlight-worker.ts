import { highlight } from './highlight.ts'

addEventListener('message', async ({ data: { language, code } }: MessageEvent<Record<string, string>>) => {
  postMessage(await highlight(language!, code!).catch(() => null))
})
