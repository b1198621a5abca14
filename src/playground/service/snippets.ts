// The request as other programs would make it.

import type { Asked } from '../questions/question.ts'

export const LANGUAGES = ['curl', 'fetch', 'Python', 'Go'] as const
export type Language = (typeof LANGUAGES)[number]

/** `origin`: scheme and host of the service. */
export function snippet(language: Language, origin: string, { path, body }: Asked): string {
  const url = `${origin}${path}`
  const text = JSON.stringify(body)
  switch (language) {
    case 'curl':
      return `curl -s ${url} -H 'content-type: application/json' -d '${text.replaceAll("'", "'\\''")}'`
    case 'fetch':
      return `const response = await fetch(${JSON.stringify(url)}, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(${JSON.stringify(body, null, 2)}),
})
console.log(await response.json())`
    case 'Python':
      return `import json, urllib.request

body = json.loads(${JSON.stringify(text)})
request = urllib.request.Request(${JSON.stringify(url)}, json.dumps(body).encode(), {"content-type": "application/json"})
print(json.load(urllib.request.urlopen(request)))`
    case 'Go':
      return `package main

import (
	"fmt"
	"io"
	"net/http"
	"strings"
)

func main() {
	response, err := http.Post(${JSON.stringify(url)}, "application/json", strings.NewReader(${JSON.stringify(text)}))
	if err != nil {
		panic(err)
	}
	defer response.Body.Close()
	answer, _ := io.ReadAll(response.Body)
	fmt.Println(string(answer))
}`
  }
}
