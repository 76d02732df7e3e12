/** Names of models that accept images, by maker, for servers whose lists don't say so. A list that does wins. */
const VISION_FAMILIES: readonly RegExp[] = [
  // OpenAI
  /^(chatgpt-)?gpt-(4o|4\.1|4-turbo|4\.5|5|6)/,
  /^o[134](-|$)/,
  // Anthropic
  /^claude-(3|4|opus|sonnet|haiku)/,
  // Google
  /^gemini-/,
  /^gemma-?(3|4)(?!.*(270m|[-:]1b))/,
  // Meta, and models built on theirs
  /^(llama-?4|llama-?3\.2-(11b|90b)|llama3\.2-vision)/,
  /^(bak)?llava/,
  // Mistral
  /^(pixtral|mistral-(medium-3|small-3\.[1-9]|large-3)|ministral-3)/,
  // Alibaba
  /^(qwen(2|2\.5|3)?-?vl|qwen-vl|qvq)/,
  // Others
  /^(internvl|minicpm-v|moondream|deepseek-vl)/,
  /^(phi-(3(\.5)?-vision|4-multimodal)|glm-4(\.\d)?v|grok-(4|2-vision))/,
]

const isNotSeeing = /embed|whisper|tts|audio|realtime|(^|[-/])(o1-mini|o3-mini)/

/** By the part after the last slash, as routers put the maker before it. */
export function seesImages(model: string): boolean {
  const name = model.slice(model.lastIndexOf('/') + 1).toLowerCase()
  return !isNotSeeing.test(name) && VISION_FAMILIES.some((family) => family.test(name))
}
