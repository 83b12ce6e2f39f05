/** The bar above: the land's name, undo and redo, presets, files, links, export. */

import { useRef } from "preact/hooks";
import { set } from "../state/draft.ts";
import { canRedo, canUndo, change, redo, undo } from "../state/history.ts";
import { draft, land, picture } from "../state/store.ts";
import { say } from "../texts.ts";
import { copyLink, explore, openFile, saveRecipe, takePicture, walk } from "./handing.ts";
import { Icon, IconButton } from "./icons.tsx";
import { dialog, galleryOpen, nextTheme, theme, toggleGallery } from "./rooms.ts";

const THEME_WORDS = { system: "themeSystem", light: "themeLight", dark: "themeDark" } as const;

export function Bar() {
  return (
    <header class="bar">
      <h1>{say("name")}</h1>
      <Title />
      <div class="group">
        <IconButton
          icon="undo"
          words={say("undo")}
          keys="Ctrl+Z"
          disabled={!canUndo.value}
          onClick={undo}
        />
        <IconButton
          icon="redo"
          words={say("redo")}
          keys="Ctrl+Shift+Z"
          disabled={!canRedo.value}
          onClick={redo}
        />
      </div>
      <div class="group roomy">
        <IconButton
          wide
          icon="presets"
          words={say("presets")}
          keys="P"
          pressed={galleryOpen.value}
          onClick={toggleGallery}
        />
        <Explore />
        <Handing />
        <Ends />
      </div>
      <IconButton
        wide
        class="main"
        icon="export"
        words={say("export")}
        keys="E"
        onClick={() => {
          dialog.value = "export";
        }}
      />
      <div class="narrow">
        <button
          type="button"
          class="icon"
          popovertarget="more"
          title={say("more")}
          aria-label={say("more")}
        >
          <Icon name="more" />
        </button>
        <div id="more" popover="auto" class="menu">
          <Explore />
          <Handing wide />
          <Ends wide />
        </div>
      </div>
    </header>
  );
}

function Title() {
  const now = draft.value;
  return (
    <input
      class="title"
      type="text"
      maxLength={200}
      aria-label={say("title")}
      title={say("title")}
      placeholder={say("untitled")}
      value={String(now?.recipe.title ?? "")}
      disabled={!now}
      onChange={(e) => {
        if (now) change(set(now, ["title"], e.currentTarget.value.trim() || undefined), "title");
      }}
    />
  );
}

/** The recipe as a world without an edge, on a page of its own. */
function Explore() {
  return (
    <IconButton
      wide
      icon="compass"
      words={say("explore")}
      disabled={!draft.value}
      onClick={() => void explore()}
    />
  );
}

function Handing({ wide = false }: { wide?: boolean }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        class="chooser"
        type="file"
        hidden
        onChange={(e) => {
          void openFile(e.currentTarget.files?.[0]);
          e.currentTarget.value = "";
        }}
      />
      <IconButton
        icon="open"
        words={say("open")}
        keys="O"
        wide={wide}
        class="opens"
        onClick={() => input.current?.click()}
      />
      <IconButton icon="save" words={say("download")} wide={wide} onClick={saveRecipe} />
      <IconButton icon="link" words={say("copyLink")} wide={wide} onClick={() => void copyLink()} />
      <IconButton
        icon="camera"
        words={say("screenshot")}
        wide={wide}
        disabled={!picture.value}
        onClick={() => void takePicture()}
      />
      <IconButton
        icon="walk"
        words={say("walk")}
        wide={wide}
        disabled={!land.value.grown}
        onClick={walk}
      />
    </>
  );
}

function Ends({ wide = false }: { wide?: boolean }) {
  return (
    <>
      <IconButton
        icon={theme.value}
        words={say(THEME_WORDS[theme.value])}
        wide={wide}
        onClick={nextTheme}
      />
      <IconButton
        icon="help"
        words={say("help")}
        keys="?"
        wide={wide}
        onClick={() => {
          dialog.value = "help";
        }}
      />
    </>
  );
}
