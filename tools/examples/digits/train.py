#!/usr/bin/env python3
"""Train two small classifiers of handwritten digits and export them for the demo.

    train.py [OUT_DIR]

Needs torch, numpy and scikit-learn (whose digits data set, 1797 images of 8x8, is used).
Writes digits_cnn.pt2 and digits_transformer.pt2 with a dynamic batch, and the test images
with their labels as .npy; about 200 KB in all. Paths in stack traces are cleared.
"""
import json
import pathlib
import sys
import zipfile

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from sklearn.datasets import load_digits

NUM_TEST = 360
EPOCHS = 60


class DigitsCNN(nn.Module):
    """Two convolutions with batch norm, pooling, and a linear classifier."""

    def __init__(self):
        super().__init__()
        self.conv1, self.norm1 = nn.Conv2d(1, 16, 3, padding=1), nn.BatchNorm2d(16)
        self.conv2, self.norm2 = nn.Conv2d(16, 32, 3, padding=1), nn.BatchNorm2d(32)
        self.head = nn.Linear(32 * 4, 10)

    def forward(self, images):
        x = F.max_pool2d(F.relu(self.norm1(self.conv1(images))), 2)
        x = F.max_pool2d(F.relu(self.norm2(self.conv2(x))), 2)
        return self.head(x.flatten(1)).softmax(-1)


class DigitsTransformer(nn.Module):
    """Rows of the image as tokens, one block of attention and MLP, mean, classifier."""

    def __init__(self, width=32, heads=4):
        super().__init__()
        self.heads = heads
        self.embed = nn.Linear(8, width)
        self.position = nn.Parameter(torch.randn(8, width) * 0.1)
        self.norm1, self.qkv, self.out = nn.LayerNorm(width), nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.norm2, self.up, self.down = nn.LayerNorm(width), nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        self.head = nn.Linear(width, 10)

    def attend(self, x):
        q, k, v = (t.unflatten(-1, (self.heads, -1)).transpose(1, 2) for t in self.qkv(x).chunk(3, -1))
        return self.out(F.scaled_dot_product_attention(q, k, v).transpose(1, 2).flatten(2))

    def forward(self, images):
        x = self.embed(images.squeeze(1)) + self.position
        x = x + self.attend(self.norm1(x))
        x = x + self.down(F.gelu(self.up(self.norm2(x))))
        return self.head(x.mean(1)).softmax(-1)


def clear_paths(source, target):
    """Copy an archive without the paths of the machine that it was exported on."""
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        for info in old.infolist():
            data = old.read(info)
            if info.filename.endswith("models/model.json"):
                model = json.loads(data)
                for node in model["graph_module"]["graph"]["nodes"]:
                    lines = node["metadata"].get("stack_trace", "").split("\n")
                    own = [i for i, line in enumerate(lines) if "train.py" in line]
                    if own:
                        number = lines[own[-1]].split(", line ")[1]
                        code = lines[own[-1] + 1]
                        node["metadata"]["stack_trace"] = f'File "train.py", line {number}\n{code}'
                    else:
                        node["metadata"].pop("stack_trace", None)
                data = json.dumps(model).encode()
            elif "sample_inputs" in info.filename:
                continue
            new.writestr(info.filename, data)


def main():
    out = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent)
    torch.manual_seed(0)
    digits = load_digits()
    images = torch.tensor(digits.images, dtype=torch.float32)[:, None] / 16
    labels = torch.tensor(digits.target)
    order = torch.randperm(len(images))
    train, test = order[NUM_TEST:], order[:NUM_TEST]
    for name, model in (("digits_cnn", DigitsCNN()), ("digits_transformer", DigitsTransformer())):
        optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
        schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, EPOCHS)
        for _ in range(EPOCHS):
            for batch in train[torch.randperm(len(train))].split(64):
                optimizer.zero_grad()
                F.nll_loss(model(images[batch]).log(), labels[batch]).backward()
                optimizer.step()
            schedule.step()
        model.eval()
        for parameter in model.parameters():
            parameter.requires_grad_(False)
        accuracy = (model(images[test]).argmax(-1) == labels[test]).float().mean()
        print(f"{name}: {100 * accuracy:.2f} % of the test images")
        batch = torch.export.Dim("batch", min=1, max=4096)
        program = torch.export.export(model, (images[test],), dynamic_shapes=({0: batch},))
        torch.export.save(program, out / "raw.pt2")
        clear_paths(out / "raw.pt2", out / f"{name}.pt2")
        (out / "raw.pt2").unlink()
        np.save(out / f"{name}_expected.npy", model(images[test]).numpy())
    np.save(out / "test_images.npy", images[test].numpy())
    np.save(out / "test_labels.npy", labels[test].numpy())


if __name__ == "__main__":
    main()
